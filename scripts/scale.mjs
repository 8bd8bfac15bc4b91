/**
 * What an object holds, what load many users make, and what they cost: the figures of docs/scale.md.
 *
 *   npm run scale -- [--sample 200000] [--seed 1]
 */
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { report, say, table } from "./log.mjs";
import { program } from "./program.mjs";
import { HABITS, playDay } from "./scale/load.mjs";
import { measureObject } from "./scale/object.mjs";
import { monthly, OBJECT_GB, SOURCE } from "./scale/prices.mjs";
import { needs, setUp } from "./setup.mjs";

const DAYS = 30;
const CROWDS = [1, 1000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/** How long an object is awake after a call: the default of `idleMs`. */
const IDLE_SECONDS = 1;

/** A Worker that checks a token and forwards takes about so much of the processor for a request. */
const WORKER_CPU_MS = 2;

/** What so many users use in a month, after so many months have been stored. */
function use(users, day, turn, months) {
  const perMonth = users * DAYS;
  const alarms = day.sessions * turn.alarmsPerSession;
  return {
    workerRequests: perMonth * day.calls,
    workerCpuMs: perMonth * day.calls * WORKER_CPU_MS,
    objectRequests: perMonth * (day.calls + alarms),
    gbSeconds: perMonth * day.awakeSeconds * OBJECT_GB,
    rowsRead: perMonth * day.turns * turn.rowsRead,
    rowsWritten: perMonth * day.turns * turn.rowsWritten,
    storedGb: (perMonth * day.turns * turn.bytes * months) / 1e9,
  };
}

const number = (value, digits = 0) => value.toLocaleString("en-US", { maximumFractionDigits: digits });

await program(import.meta.url, async () => {
  const { values } = parseArgs({ options: { sample: { type: "string", default: "200000" }, seed: { type: "string", default: "1" }, json: { type: "boolean" } } });
  await setUp([...needs.module, ...needs.tests]);
  await build();
  const { turn, held } = await measureObject();
  const day = playDay(Number(values.sample), { idleSeconds: IDLE_SECONDS, seed: Number(values.seed) });
  const crowds = CROWDS.map((users) => ({ users, awake: users * day.awake, callsPerSecond: users * day.callsPerSecond, ...monthly(use(users, day, turn, 12)) }));
  const objects = table([
    ["object with", "records", "stored kB", "memory kB", "opened in ms"],
    ...held.map(({ size, records, bytes, memory, openMs }) => [
      Object.entries(size).map(([kind, count]) => `${number(count)} ${kind}`).join(),
      number(records),
      number(bytes / 1000),
      memory === undefined ? "-" : number(memory / 1000),
      number(openMs),
    ]),
  ]);
  const costs = table([
    ["users", "awake at once", "calls a second", "requests $", "duration $", "rows $", "stored $", "a month $", "per user $"],
    ...crowds.map(({ users, awake, callsPerSecond, total, ...kinds }) => [
      number(users),
      number(awake),
      number(callsPerSecond),
      number(kinds.workerRequests + kinds.workerCpuMs + kinds.objectRequests),
      number(kinds.gbSeconds),
      number(kinds.rowsRead + kinds.rowsWritten),
      number(kinds.storedGb),
      number(total),
      number(total / users, 4),
    ]),
  ]);
  const seed = Number(values.seed);
  for (const idleSeconds of [1, 5, 30]) {
    const { awakeSeconds } = playDay(Number(values.sample), { idleSeconds, seed });
    say(`idleMs ${number(idleSeconds * 1000)}: awake ${number(awakeSeconds, 1)} s a day`);
  }
  say(`a turn with all that follows: ${number(turn.rowsWritten, 1)} rows written, ${number(turn.rowsRead, 1)} read, ${number(turn.bytes)} bytes stored`);
  say(`a user on an average day: ${number(day.sessions, 2)} sessions, ${number(day.turns, 2)} turns, awake ${number(day.awakeSeconds, 1)} s (habits: ${JSON.stringify(HABITS)})`);
  report({ turn, held, day, crowds }, `\n${objects}\n\n${costs}\n\nprices of ${SOURCE.date}: ${SOURCE.pages.join(", ")}; stored is what twelve months have left`);
});
