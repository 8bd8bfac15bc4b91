/** What the demo shows is never older than the last change. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";

const source = readFileSync(new URL("../../www/src/refreshing.ts", import.meta.url), "utf8");
const { outputText } = ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 } });
const { Refreshing } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

// A change that came after the last look for changes, and before the end of showing was noted, was not shown.
test("a change is shown, however soon after the showing before it comes", async () => {
  for (let ticks = 0; ticks < 12; ticks += 1) {
    let held = 0;
    let shown = -1;
    const refreshing = new Refreshing(async () => { shown = held; }, assert.fail);
    refreshing.ask();
    for (let tick = 0; tick < ticks; tick += 1) await undefined;
    held = 1;
    refreshing.ask();
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(shown, 1, `a change after ${ticks} ticks was lost`);
  }
});

test("changes while it shows are shown in one more go, also after a failure", async () => {
  const goes = [];
  const failures = [];
  const refreshing = new Refreshing(
    () => new Promise((resolve, reject) => goes.push({ resolve, reject })),
    (error) => failures.push(error),
  );
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  for (let times = 0; times < 3; times += 1) refreshing.ask();
  assert.equal(goes.length, 1);
  refreshing.ask();
  goes[0].reject("the first");
  await turn();
  assert.deepEqual([goes.length, failures], [2, ["the first"]]);
  goes[1].resolve();
  await turn();
  assert.equal(goes.length, 2);
  refreshing.ask();
  assert.equal(goes.length, 3);
});
