/** The judges of the soak see what they are for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { after as afterSteps, judge } from "../../scripts/soak/diary.mjs";
import { Ledger } from "../../scripts/soak/ledger.mjs";
import { Tally } from "../../scripts/soak/tally.mjs";

const nothing = { lost: [], halves: [], returned: [] };

test("the work of any number of steps is judged as that", () => {
  for (let step = 0; step <= 40; step += 1) {
    assert.deepEqual(judge(afterSteps(step), step), { step, ...nothing });
    // One more may be there than is known.
    assert.equal(judge(afterSteps(step + 1), step).step, step + 1);
  }
});

test("what is missing is lost", () => {
  assert.deepEqual(judge(afterSteps(9), 11), { step: 9, ...nothing, lost: ["entry-10", "count 11, found 7"] });
  const { threads, count } = afterSteps(11);
  delete threads["entry-5"];
  assert.deepEqual(judge({ threads, count }, 3).lost, ["entry-5"], "also when nobody knows that it was confirmed");
  assert.deepEqual(judge(afterSteps(0), 2).lost, ["entry-1", "entry-2"]);
});

test("parts of an entry, other words and an old count are no whole number of steps", () => {
  const { threads, count } = afterSteps(11);
  const cut = { ...threads, "entry-9": threads["entry-9"].slice(0, 2) };
  assert.deepEqual(judge({ threads: cut, count }, 3).halves, ["entry-9: 2 parts"]);
  const changed = { ...threads, "entry-9": [...threads["entry-9"].slice(0, 2), "Entry 9"] };
  assert.deepEqual(judge({ threads: changed, count }, 3).halves, ["entry-9: 3 parts"]);
  assert.deepEqual(judge({ threads: { ...threads, ...afterSteps(13).threads }, count: 7 }, 3).lost, ["count 11, found 7"]);
});

test("what was forgotten and is there has returned", () => {
  const { threads, count } = afterSteps(11);
  const { threads: earlier } = afterSteps(7);
  assert.deepEqual(judge({ threads: { ...threads, "entry-6": earlier["entry-6"] }, count }, 11).returned, ["entry-6"]);
  assert.deepEqual(judge(afterSteps(7), 8).returned, ["entry-6"], "also when it is all that is missing");
});

test("a ledger allows what a failed call may have left, and nothing else", () => {
  const ledger = new Ledger();
  ledger.confirm({ door: "open", lamp: "on" });
  ledger.allow({ door: "shut" });
  for (const door of ["open", "shut"]) assert.deepEqual(ledger.differences({ door, lamp: "on" }), []);
  assert.deepEqual(ledger.differences({ door: "ajar" }), ["door is ajar instead of open or shut", "lamp is undefined instead of on"]);
  ledger.confirm({ door: "shut" });
  assert.equal(ledger.differences({ door: "open", lamp: "on" }).length, 1);
});

test("a tally counts each kind of fault in its column", () => {
  const tally = new Tally();
  const row = tally.row("node", "files");
  assert.equal(tally.found(row, { step: 3, ...nothing, damaged: [], wiped: { restored: true } }), true);
  assert.equal(tally.found(row, { step: 3, ...nothing, lost: ["entry-1"], damaged: ["head"] }), false);
  assert.equal(tally.found(row, { error: "StorageError: no" }), false);
  const counts = { rounds: 0, confirmed: 0, wiped: 1, restored: 1, lost: 1, halves: 0, returned: 0, damaged: 1, refused: 1 };
  assert.deepEqual(row, { module: "node", variant: "files", ...counts });
  assert.equal(tally.faults.length, 3);
});
