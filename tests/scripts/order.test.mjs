/** The order of a module's functions: alike ones side by side, and nothing else changed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import binaryen from "binaryen";
import { nameByOrder } from "../../scripts/build/order.mjs";

/** A module of functions of two sorts, in turn, behind an imported one. */
function mixed() {
  const sums = (name, least) =>
    `(func $${name} (param i32) (result i32) ${"(local.set 0 (i32.add (local.get 0) (i32.const LEAST)))".repeat(20)} (local.get 0))`
      .replaceAll("LEAST", least);
  const calls = (name, least) =>
    `(func $${name} (param i32) (result i32) ${"(call $log (i32.mul (local.get 0) (i32.const LEAST)))".repeat(20)} (i32.const ${least}))`
      .replaceAll("LEAST", least);
  const functions = [sums("a1", 1000), calls("b1", 77), sums("a2", 1000), calls("b2", 77), sums("a3", 1000), calls("b3", 77)];
  return binaryen.parseText(`(module (import "host" "log" (func $log (param i32))) ${functions.join(" ")} (export "a2" (func $a2)))`);
}

function bytesOf(module) {
  binaryen.setDebugInfo(true);
  return Buffer.from(module.emitBinary());
}

test("each function follows those it has most in common with", () => {
  const named = binaryen.readBinary(nameByOrder(bytesOf(mixed())));
  const names = Array.from({ length: named.getNumFunctions() }, (_, index) => {
    return binaryen.getFunctionInfo(named.getFunctionByIndex(index));
  });
  const places = names.filter(({ base }) => base === "").map(({ name }) => Number(name));
  const sorts = places.map((place, index) => [place, "ab"[index % 2]]).sort(([a], [b]) => a - b);
  assert.equal(sorts.map(([, sort]) => sort).join(""), "aaabbb");
});

test("the module stays what it was", async () => {
  const module = nameByOrder(bytesOf(mixed()));
  const logged = [];
  const { instance } = await WebAssembly.instantiate(module, { host: { log: (number) => logged.push(number) } });
  assert.equal(instance.exports.a2(1), 20_001);
});
