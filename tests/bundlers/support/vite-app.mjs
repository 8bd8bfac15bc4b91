/** Example apps of Vite, built and used in a browser as their READMEs say. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { launch, openPage } from "../../package/support/browser.mjs";
import { root } from "../../package/support/tarball.mjs";
import { installInto, run, withServer } from "./project.mjs";

const ADDRESS = /(http:\/\/localhost:\d+)/;

/** Builds the example `name`, and answers how to use it and the browser that it is used in. */
export async function viteApp(name) {
  const folder = join(root, "examples", name);
  const script = join(folder, "node_modules/vite/bin/vite.js");
  await installInto(folder);
  await rm(join(folder, "dist"), { recursive: true, force: true });
  await run(name, process.execPath, [script, "build"], { cwd: folder });
  const browser = await launch();
  return {
    close: () => browser.close(),
    /**
     * Serves what was built, or what is developed, while `use` is under way with a page of a fresh profile. No page may have complained.
     *
     * @param {{args: string[], env?: Record<string, string>}} options the arguments of Vite
     * @param {(page: object, open: () => Promise<object>) => Promise<void>} use `open` opens another tab
     */
    withPage: ({ args, env }, use) =>
      withServer([script, ...args, "--port", "0"], { cwd: folder, env }, ADDRESS, async (url) => {
        const context = await browser.newContext();
        const tabs = [];
        const open = async () => {
          tabs.push(await openPage(context, url));
          return tabs.at(-1).page;
        };
        try {
          await use(await open(), open);
          for (const { complaints } of tabs) assert.deepEqual(complaints, []);
        } finally {
          await context.close();
        }
      }),
  };
}
