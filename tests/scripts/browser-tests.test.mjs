/** Which tests a program of browser tests holds, and where it wants to run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import binaryen from "binaryen";
import { testsOf } from "../../scripts/browser-tests.mjs";

const exported = ["__wbgt__web::storage::opens", "__wbgt__web::platform::sleeps", "__wbgb__web::storage::speed", "memory"];

function program(place) {
  const functions = exported.map((name, index) => `(func $f${index}) (export "${name}" (func $f${index}))`);
  const module = binaryen.parseText(`(module ${functions.join(" ")})`);
  if (place !== undefined) module.addCustomSection("__wasm_bindgen_test_unstable", Uint8Array.of(place));
  return module.emitBinary();
}

test("tests are told from other exports, and picked by a part of their names", () => {
  assert.deepEqual(testsOf(program(1)), { names: exported.slice(0, 2), inWorker: false });
  assert.deepEqual(testsOf(program(2), "platform"), { names: [exported[1]], inWorker: true });
  assert.deepEqual(testsOf(program(1), "web").names, [], "the name of the program is no part of a test's");
});

test("a program that says no place it runs in is refused", () => {
  assert.throws(() => testsOf(program()), /neither run_in_browser nor run_in_dedicated_worker/);
  assert.throws(() => testsOf(program(5)), /neither/);
});
