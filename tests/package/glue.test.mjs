/** The factory made of wasm-bindgen's glue. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { glueFactory } from "../../pkg-template/glue.mjs";

const GLUE = `/* @ts-self-types="./mnemic.d.ts" */

export class Engine {
    live() { return wasm; }
}
function __wbg_get_imports() { return { value: 1 }; }

let wasmInstance, wasm;
function __wbg_finalize_init(instance, module) {
    wasmInstance = instance;
    wasm = instance.exports;
    return wasm;
}

async function __wbg_load(module, imports) { return import.meta.url; }
export { initSync, __wbg_init as default };
`;

const load = (source) => import(`data:text/javascript,${encodeURIComponent(source)}`);

test("every call makes classes with an instance of their own", async () => {
  const { createGlue } = await load(glueFactory(GLUE));
  const [one, two] = [createGlue(), createGlue()];
  one.start({ exports: "one" }, null);
  two.start({ exports: "two" }, null);
  assert.equal(new one.Engine().live(), "one");
  assert.equal(new two.Engine().live(), "two");
  assert.deepEqual(one.imports(), { value: 1 });
});

test("nothing of the loading is left, so that no bundler sees a second copy of the module", () => {
  const source = glueFactory(GLUE);
  assert.doesNotMatch(source, /import\.meta|initSync/);
});

test("glue of another form is refused by name", () => {
  assert.throws(() => glueFactory(GLUE.replace("__wbg_finalize_init", "__wbg_finish")), /__wbg_finalize_init/);
  assert.throws(() => glueFactory(GLUE.replace("async function __wbg_load", "async function load")), /__wbg_load/);
  assert.throws(() => glueFactory(`import { now } from "./snippets/clock.js";\n${GLUE}`), /snippets\/clock\.js/);
});
