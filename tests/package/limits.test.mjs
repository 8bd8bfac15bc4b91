/** docs/limits.md and the README say what the source says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { constant, unnamed } from "../../scripts/limits/constants.mjs";
import { limitsPage, places } from "../../scripts/limits/page.mjs";
import { textOf } from "./support/snippets.mjs";

test("docs/limits.md is what `npm run limits` writes", () => {
  assert.equal(textOf("docs/limits.md"), limitsPage());
});

test("a new public limit is on the page, or listed there as internal", () => {
  assert.deepEqual(unnamed(places), []);
  assert.deepEqual(unnamed(places.slice(1)).length, 1);
});

test("a place that fits no constant, or several, is an error", () => {
  assert.throws(() => constant("facts/mod.rs MAX_NOTHING"), /0 constants fit/);
  assert.throws(() => constant("MAX_NAME_BYTES"), /0 constants fit/);
});

test("the README names the budget of the module", () => {
  const [, kilobytes] = textOf("README.md").match(/module is at most (\d+) kB after gzip/) ?? assert.fail("the README names no size");
  assert.equal(Number(kilobytes) * 1000, constant("wasm-pack.toml mnemic_bg.wasm"));
});
