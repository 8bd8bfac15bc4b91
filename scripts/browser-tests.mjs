/**
 * What cargo runs a program of browser tests with (.cargo/config.toml): in a page of Chromium, or in a dedicated worker where
 * the program asks for one. Its first argument is the program; another one picks the tests whose names contain it.
 *
 *   cargo test --target wasm32-unknown-unknown --test web -- callbacks
 */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { compileBindings, makeBindings } from "./build/bindings.mjs";
import { say } from "./log.mjs";
import { Failure, program } from "./program.mjs";
import { serve } from "./serve.mjs";

/** A trap outside of a test's own steps leaves a promise that nobody settles. */
const limitMs = 120_000;

// Tests make functions from text.
const policy = { "Content-Security-Policy": "script-src 'self' 'unsafe-eval'; object-src 'none'" };

/** The tests of a module by their exported names, and whether they are for a worker. */
export function testsOf(bytes, filter = "") {
  const module = new WebAssembly.Module(bytes);
  const names = WebAssembly.Module.exports(module)
    .map(({ name }) => name)
    .filter((name) => name.startsWith("__wbgt_") && name.slice(name.indexOf("::") + 2).includes(filter));
  // `wasm_bindgen_test_configure!` leaves one byte: 1 for a page, 2 for a dedicated worker.
  const [section] = WebAssembly.Module.customSections(module, "__wasm_bindgen_test_unstable");
  const [place] = section ? new Uint8Array(section) : [];
  if (place !== 1 && place !== 2) throw new Failure("the program says neither run_in_browser nor run_in_dedicated_worker");
  return { names, inWorker: place === 2 };
}

/** Runs the tests of a program, and answers whether all passed. */
async function runTests(path, filter) {
  const { names, inWorker } = testsOf(readFileSync(path), filter);
  const folder = mkdtempSync(join(tmpdir(), "mnemic-browser-tests-"));
  let server, browser;
  try {
    await compileBindings();
    await makeBindings(path, folder, "tests");
    cpSync(join(import.meta.dirname, "browser-tests"), folder, { recursive: true });
    server = await serve(folder, 0, policy);
    browser = await launch();
    const page = await browser.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.stack ?? String(error)));
    await page.goto(server.url);
    await page.waitForFunction(() => globalThis.runPage);
    const late = setTimeout(() => page.close(), limitMs);
    const lines = () => page.textContent("#output");
    page.setDefaultTimeout(limitMs);
    const passed = await page.evaluate(([names, inWorker]) => runPage(names, inWorker), [names, inWorker]).catch(async (error) => {
      errors.push(page.isClosed() ? `not done after ${limitMs} ms` : error.message);
      return false;
    });
    clearTimeout(late);
    if (!page.isClosed()) say(await lines());
    if (!passed) errors.forEach((error) => say(error));
    return passed;
  } finally {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await program(import.meta.url, async () => {
  const [path, ...rest] = process.argv.slice(2);
  if (path === undefined) throw new Failure("usage: node scripts/browser-tests.mjs PROGRAM [PART OF A NAME]");
  const options = rest.filter((argument) => argument.startsWith("-"));
  if (options.length > 0) throw new Failure(`${options.join(" ")}: browser tests take no options, only a part of a name`);
  if (!(await runTests(path, rest[0]))) throw new Failure("browser tests failed");
});
