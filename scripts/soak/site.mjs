/** The page in which a browser uses the package, and its server. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "../serve.mjs";

const FILES = {
  "index.html": '<!doctype html><meta charset="utf-8"><title>soak</title><script type="module" src="page.js"></script>',
  "page.js": `import * as mnemic from "./package/entry/browser.js";
import * as diary from "./diary.mjs";
Object.assign(globalThis, { mnemic, diary });
`,
};

/** Serves the page with a package from a folder. */
export async function serveSite(folder, packageFolder) {
  await mkdir(folder, { recursive: true });
  await Promise.all([
    ...Object.entries(FILES).map(([name, text]) => writeFile(join(folder, name), text)),
    cp(join(import.meta.dirname, "diary.mjs"), join(folder, "diary.mjs")),
    cp(packageFolder, join(folder, "package"), { recursive: true }),
  ]);
  return serve(folder, 0);
}

/**
 * Opens the page in a browser.
 *
 * @param {import("playwright-core").BrowserContext} context
 * @param {(step: number) => void} onConfirmed hears of each step that the page confirms
 */
export async function openPage(context, url, onConfirmed = () => {}) {
  const page = await context.newPage();
  page.on("console", (message) => {
    const [, step] = /^confirmed (\d+)$/.exec(message.text()) ?? [];
    if (step !== undefined) onConfirmed(Number(step));
  });
  await page.goto(url);
  await page.waitForFunction(() => globalThis.diary !== undefined);
  return page;
}

/** In the page: opens the diary and answers what it found, or the error. */
export async function openInPage({ options, confirmed }) {
  try {
    const { memory, user, found } = await diary.openDiary(mnemic.openMemory, options, confirmed);
    Object.assign(globalThis, { memory, user });
    return found;
  } catch (error) {
    return { error: `${error.name}: ${error.message}` };
  }
}

/** In the page: writes on, to the end or to `last`. */
export async function writeInPage({ done, last }) {
  await diary.writeOn(user, done, (step) => console.log(`confirmed ${step}`), last);
}
