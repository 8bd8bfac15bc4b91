// Runs the tests of a module inside a page or a worker. wasm-bindgen-test brings the rest: it calls the tests one after
// another, keeps what they print, and writes its lines into #output, or hands them to the function a worker has for it.
import init, * as bindings from "./tests.js";

/** Whether all tests of these exported names passed. */
export async function runTests(names) {
  globalThis.__wbg_test_invoke = (poll) => poll();
  const exports = await init({ module_or_path: new URL("tests_bg.wasm", import.meta.url) });
  for (const level of ["debug", "log", "info", "warn", "error"]) {
    console[level] = (...values) => bindings[`__wbgtest_console_${level}`](values);
  }
  return new bindings.WasmBindgenTestContext(false).run(names.map((name) => exports[name]));
}
