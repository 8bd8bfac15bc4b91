/** The cut of a module into parts: each works with what it has, and together they are what they were. */
import assert from "node:assert/strict";
import { test } from "node:test";
import binaryen from "binaryen";
import { assignParts, FIRST } from "../../scripts/build/parts.mjs";
import { split } from "../../scripts/build/split.mjs";

/** `enter` goes through the gate; behind it are `inner`, `callback` in the table, and a number at 64. `shared` is called by both. */
const TEXT = `(module
  (import "host" "log" (func $log (param i32)))
  (type $reader (func (result i32)))
  (memory $memory 1)
  (table $table 2 2 funcref)
  (global $calls (mut i32) (i32.const 0))
  (elem (i32.const 1) $callback)
  (data (i32.const 16) "\\07\\00\\00\\00")
  (data (i32.const 64) "\\2a\\00\\00\\00")
  (func $shared (param i32) (result i32)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (call $log (local.get 0))
    (i32.add (local.get 0) (i32.load (i32.const 16))))
  (func $callback (result i32) (i32.load (i32.const 64)))
  (func $inner (param i32) (result i32)
    (i32.add (call $shared (local.get 0)) (call_indirect $table (type $reader) (i32.const 1))))
  (func $gate (param i32) (result i32) (call $inner (local.get 0)))
  (func $enter (param i32) (result i32) (call $gate (call $shared (local.get 0))))
  (func $stay (param i32) (result i32) (call $shared (local.get 0)))
  (export "memory" (memory $memory)) (export "enter" (func $enter)) (export "stay" (func $stay)))`;

const FUNCTIONS = ["shared", "callback", "inner", "gate", "enter", "stay"];

/** What the linker would say of it; `more` are uses beside those in the text. */
function linked(more = {}) {
  const uses = { callback: ["later"], inner: ["shared", "callback"], gate: ["inner"], enter: ["gate", "shared"], stay: ["shared"], shared: ["known"], ...more };
  const names = [...FUNCTIONS, "known", "later"];
  const items = names.map((name, place) => {
    const lies = name === "known" ? { from: 16, to: 20 } : { from: 64, to: 68 };
    return { name, isFunction: place < FUNCTIONS.length, ...lies, uses: new Set((uses[name] ?? []).map((other) => names.indexOf(other))) };
  });
  return { items, slots: new Map([[1, 1]]), roots: [FUNCTIONS.indexOf("enter"), FUNCTIONS.indexOf("stay")] };
}

function bytesOf(text) {
  const module = binaryen.parseText(text);
  binaryen.setDebugInfo(true);
  return Buffer.from(module.emitBinary());
}

async function running(modules) {
  const logged = [];
  const host = { log: (number) => logged.push(number) };
  const { instance } = await WebAssembly.instantiate(modules.get(FIRST), { host });
  const exported = { [FIRST]: instance.exports };
  const load = async (part) => {
    const { instance } = await WebAssembly.instantiate(modules.get(part), { host, ...exported });
    exported[part] = instance.exports;
  };
  return { ...instance.exports, at: (address) => new DataView(instance.exports.memory.buffer).getInt32(address, true), load, logged };
}

test("the first part works alone, and with the other behind its gate it is what it was", async () => {
  const link = linked();
  const first = await running(split(bytesOf(TEXT), link, assignParts(link, { more: ["gate"] })));
  assert.equal(first.stay(1), 8);
  assert.equal(first.at(64), 0);
  assert.throws(() => first.enter(1), WebAssembly.RuntimeError);
  await first.load("more");
  assert.equal(first.at(64), 42);
  assert.equal(first.enter(1), 57);
  assert.deepEqual(first.logged, [1, 1, 1, 8]);
});

test("a function that the optimiser keeps in the place of another is where that is needed", async () => {
  // `stay` called a function like `inner`, with the same places in the table and in memory, and now calls `inner` itself.
  const text = TEXT.replace("(func $stay (param i32) (result i32) (call $shared", "(func $stay (param i32) (result i32) (call $inner");
  const link = linked({ stay: ["shared", "callback"] });
  const first = await running(split(bytesOf(text), link, assignParts(link, { more: ["gate"] })));
  assert.equal(first.stay(1), 50);
  assert.throws(() => first.enter(1), WebAssembly.RuntimeError);
  await first.load("more");
  assert.equal(first.enter(1), 57);
});

test("what two parts share is in the first, with all it refers to", () => {
  const { items, roots } = linked({ enter: ["gate", "inner"], inner: ["callback"], gate: ["callback"] });
  const { parts } = assignParts({ items, roots }, { one: ["gate"], two: ["inner"] });
  const partOf = Object.fromEntries(items.map(({ name }, place) => [name, parts[place]]));
  assert.deepEqual(partOf, { shared: FIRST, callback: FIRST, inner: "two", gate: "one", enter: FIRST, stay: FIRST, known: FIRST, later: FIRST });
});

test("what a part shares with one that it needs is in that one, which it takes it from", async () => {
  const link = linked({ enter: ["gate", "shared"], gate: ["inner"], stay: ["inner"] });
  const text = TEXT.replace("(func $stay (param i32) (result i32) (call $shared", "(func $stay (param i32) (result i32) (call $inner");
  // Nothing but the gates leads to `inner` now, and both do.
  link.roots = link.roots.slice(0, 1);
  link.items[FUNCTIONS.indexOf("enter")].uses.add(FUNCTIONS.indexOf("stay"));
  const whole = text.replace("(call $gate (call $shared (local.get 0)))", "(call $gate (call $stay (local.get 0)))").replace('(export "stay" (func $stay))', "");
  const assigned = assignParts(link, { early: ["gate"], late: ["stay"] }, { late: ["early"] });
  assert.equal(assigned.parts[FUNCTIONS.indexOf("inner")], "early");
  const first = await running(split(bytesOf(whole), link, assigned));
  await assert.rejects(first.load("late"), TypeError);
  await first.load("early");
  assert.equal(first.at(64), 42);
  await first.load("late");
  assert.equal(first.enter(1), 99);
});

test("a gate that is not there, or not one function, is refused by name", () => {
  assert.throws(() => assignParts(linked(), { more: ["door"] }), /0 functions are named door, the gate of more/);
});
