/** Where a subject runs: a process of its own, or a page of its own in Chromium. Either answers `run(step, given)` and `close()`. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundlePage } from "./bundle.mjs";
import { launch } from "../../scripts/browser.mjs";
import { root } from "../../scripts/project.mjs";
import { serve } from "../../scripts/serve.mjs";
import { nodeWithSqlite } from "../../scripts/setup/sqlite-node.mjs";

const HEADERS = {
  // With these, a page measures times to 5 microseconds.
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  // Some peers make code from text. mnemic does not need it.
  "Content-Security-Policy": "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
};

const folderOf = (name) => mkdtempSync(join(tmpdir(), `mnemic-${name}-`));
const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** A subject's process. `set` is a folder with sentences, if they are not made from numbers. */
export async function startProcess(name, axis, count, set) {
  const folder = folderOf("peer");
  const child = fork(join(import.meta.dirname, "process.mjs"), [name, axis, `${count}`, folder, ...(set === undefined ? [] : [set])], {
    execPath: nodeWithSqlite(),
    execArgv: ["--expose-gc", "--max-old-space-size=8000"],
    env: { ...process.env, MEM0_TELEMETRY: "false" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  });
  const next = async () => {
    const ended = new AbortController();
    const gone = once(child, "exit", { signal: ended.signal }).then(([code, signal]) => ({ error: `its process ended: ${signal ?? code}` }));
    const [answer] = await Promise.race([once(child, "message", { signal: ended.signal }), gone.then((answer) => [answer])]);
    ended.abort();
    gone.catch(() => {});
    if (answer?.error !== undefined) throw new Error(`${name}: ${answer.error}`);
    return answer;
  };
  await next();
  return {
    run(step, given) {
      child.send({ step, given });
      return next();
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
      }
      remove(folder);
    },
  };
}

/** A Chromium with a new profile; `start` opens a subject's page in it. */
export async function startBrowser() {
  await bundlePage();
  const server = await serve(root, 0, HEADERS);
  const profile = folderOf("peers");
  const context = await launch(profile);
  return {
    async start(name, axis, count) {
      const page = await context.newPage();
      await page.goto(`${server.url}/benches/peers/dist/page.html`);
      await page.waitForFunction(() => globalThis.peers !== undefined);
      await page.evaluate((given) => peers.start(...given), [name, axis, count]);
      return {
        run: (step, given) => page.evaluate(([step, given]) => peers.run(step, given ?? {}), [step, given]),
        close: () => page.close(),
      };
    },
    async close() {
      await context.close();
      await server.close();
      remove(profile);
    },
  };
}
