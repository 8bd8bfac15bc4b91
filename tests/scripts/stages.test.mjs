import assert from "node:assert/strict";
import test from "node:test";
import { runStages } from "../../scripts/stages.mjs";

/** Runs stages that end in the order they are told to, and answers what began and ended. */
async function record(stages, ends, failing = []) {
  const log = [];
  const waiting = new Map();
  const done = runStages(stages, (stage) => {
    log.push(`+${stage.name}`);
    return new Promise((resolve) => waiting.set(stage.name, resolve));
  });
  for (const name of ends) {
    await new Promise(setImmediate);
    log.push(`-${name}`);
    waiting.get(name)({ name, ...(failing.includes(name) && { error: "no" }) });
  }
  return { log: log.join(" "), outcomes: (await done).map(({ name }) => name) };
}

test("two run at a time, earlier ones first, each after those it waits for", async () => {
  const stages = [{ name: "a" }, { name: "b", after: ["a"] }, { name: "c" }, { name: "d", after: ["elsewhere"] }];
  const { log, outcomes } = await record(stages, ["c", "a", "d", "b"]);
  assert.equal(log, "+a +c -c +d -a +b -d -b");
  assert.deepEqual(outcomes, ["a", "b", "c", "d"]);
});

test("what only one may use is used by one", async () => {
  const stages = [{ name: "a", uses: ["x"] }, { name: "b", uses: ["x", "y"] }, { name: "c", uses: ["y"] }];
  assert.equal((await record(stages, ["a", "c", "b"])).log, "+a +c -a -c +b -b");
});

test("what is better not shared is shared when nothing else is left to do", async () => {
  const stages = [{ name: "a", shares: ["x"] }, { name: "b", shares: ["x"] }, { name: "c" }, { name: "d", shares: ["x"] }];
  assert.equal((await record(stages, ["a", "c", "b", "d"])).log, "+a +c -a +b -c +d -b -d");
});

test("nothing starts after a failure, and what runs comes to its end", async () => {
  const stages = [{ name: "a" }, { name: "b" }, { name: "c" }];
  const { log, outcomes } = await record(stages, ["b", "a"], ["b"]);
  assert.equal(log, "+a +b -b -a");
  assert.deepEqual(outcomes, ["a", "b"]);
});
