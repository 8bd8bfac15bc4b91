/** The figures of docs/scale.md: what a day of many users comes to, and what it costs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HABITS, playDay } from "../../scripts/scale/load.mjs";
import { monthly, PLAN_DOLLARS } from "../../scripts/scale/prices.mjs";

test("a day has the sessions, turns and calls that its habits say", () => {
  const { sessions, turns, calls, awakeSeconds } = playDay(100_000, { idleSeconds: 5, seed: 1 });
  const near = (value, wanted) => assert.ok(Math.abs(value / wanted - 1) < 0.05, `${value} instead of ${wanted}`);
  near(sessions, HABITS.activeShare * HABITS.sessions);
  near(turns, sessions * HABITS.turns);
  near(calls, turns * HABITS.callsPerTurn);
  // Between 5 s for each turn, with what a session learns, and what pauses shorter than that take off.
  assert.ok(awakeSeconds < turns * 5.05 + sessions * HABITS.learnSeconds + 0.01 && awakeSeconds > turns * 4, `${awakeSeconds}`);
});

test("awake at once and calls a second agree with the day, and its peak", () => {
  const { calls, awakeSeconds, awake, callsPerSecond } = playDay(100_000, { idleSeconds: 5, seed: 1 });
  const isPeak = (value, average) => assert.ok(value > average && value < 2.5 * average, `${value} of ${average}`);
  isPeak(awake, awakeSeconds / 86_400);
  isPeak(callsPerSecond, calls / 86_400);
});

test("the same seed plays the same day, and who stays awake longer is awake longer", () => {
  const day = (idleSeconds, seed) => playDay(2000, { idleSeconds, seed });
  assert.deepEqual(day(5, 3), day(5, 3));
  assert.ok(day(30, 3).awakeSeconds > day(5, 3).awakeSeconds);
  assert.equal(day(30, 3).calls, day(5, 3).calls);
});

test("what is included costs nothing beside the plan, and more is paid by its unit", () => {
  const none = { workerRequests: 0, workerCpuMs: 0, objectRequests: 1e6, gbSeconds: 400_000, rowsRead: 0, rowsWritten: 50e6, storedGb: 5 };
  assert.equal(monthly(none).total, PLAN_DOLLARS);
  const { total, rowsWritten, storedGb } = monthly({ ...none, rowsWritten: 51e6, storedGb: 15 });
  assert.deepEqual([rowsWritten, storedGb, total], [1, 2, PLAN_DOLLARS + 3]);
});
