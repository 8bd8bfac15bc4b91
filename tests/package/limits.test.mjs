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

test("the README names the budgets of the module and of a page's JavaScript", () => {
  const text = textOf("README.md").replaceAll(/\s+/g, " ");
  const named = (pattern) => Number((text.match(pattern) ?? assert.fail(`the README has no ${pattern}`))[1]) * 1000;
  assert.equal(named(/module is at most (\d+) kB after gzip/), constant("wasm-pack.toml mnemic_bg.wasm"));
  assert.equal(named(/at most (\d+) kB of JavaScript/), constant("wasm-pack.toml entry/browser.js"));
});
