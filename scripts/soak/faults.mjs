/** An app's storage of which one call goes wrong, for every call of a session and everything that may go wrong. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { key } from "./diary.mjs";
import { FAULTS, faultyStorage } from "./faulty-storage.mjs";
import { Ledger } from "./ledger.mjs";
import { shuffled } from "../random.mjs";
import { look, NOTHING, openSession, PARTS } from "./session.mjs";

export const faults = {
  name: "faults",
  shortRounds: 150,
  async run(soak) {
    const { openMemory } = await import(pathToFileURL(join(soak.packageFolder, "entry", "node.js")));
    const { calls } = await session(openMemory, undefined, 0);
    const rounds = Object.keys(FAULTS).flatMap((name) => Array.from({ length: calls }, (_, index) => ({ name, at: index + 1 })));
    for (const { name, at } of shuffled(rounds, soak.next)) {
      if (soak.isOver()) return;
      const row = soak.tally.row("faults", name);
      soak.begin(row);
      const { confirmed, error, differences, damaged } = await session(openMemory, FAULTS[name], at);
      row.confirmed += confirmed;
      const halves = differences.filter((text) => text.includes(" parts"));
      const lost = differences.filter((text) => !text.includes(" parts"));
      soak.tally.found(row, { at, error, halves, lost, damaged });
    }
  },
};

/** Runs a session with one fault, opens what is stored without one, and says what is not as it may be. */
async function session(openMemory, fault, at) {
  const pairs = new Map();
  const faulty = faultyStorage(pairs, fault, at);
  const ledger = new Ledger();
  ledger.confirm(NOTHING);
  const outcome = { confirmed: 0, differences: [], damaged: [] };
  const compare = async (memory, when) => {
    outcome.differences.push(...ledger.differences(await look(memory)).map((text) => `${when}, ${text}`));
  };
  const silence = isSilent(fault) ? faulty.failed.then(() => turns(100)).then(() => ({ code: "Silence" })) : never;
  const settled = (call) => Promise.race([call.then((value) => ({ value }), (error) => ({ code: error.code ?? error })), silence]);
  // When the storage falls silent, the app gives up, as a user reloads a page.
  const isGivenUp = () => isSilent(fault) && faulty.hasFailed();
  for (const stepsOf of PARTS) {
    const hadFailed = faulty.hasFailed();
    const isDeceived = () => fault?.isUntrue && faulty.hasFailed() && !hadFailed;
    const open = async () => settled(openSession(openMemory, faulty.storage, await encryptionOf(pairs)));
    // An app tries again once.
    const memory = (await open()).value ?? (isGivenUp() ? undefined : (await open()).value);
    if (memory === undefined) break;
    if (!isDeceived()) await compare(memory, "after opening");
    for (const { leaves, run } of stepsOf(memory)) {
      const { code } = await settled(run());
      if (code === undefined) outcome.confirmed += 1;
      if (code === undefined && !isDeceived()) ledger.confirm(leaves());
      else if (!UNCHANGED.has(code)) ledger.allow(leaves());
      if (isGivenUp()) break;
    }
    if (isGivenUp()) break;
    if (!isDeceived()) await compare(memory, "before closing");
    await settled(memory.close());
  }
  outcome.calls = faulty.calls();
  try {
    const memory = await openSession(openMemory, faultyStorage(pairs).storage, await encryptionOf(pairs));
    await compare(memory, "in the end");
    outcome.damaged = (await memory.verify()).damage.map(({ key }) => key);
    await memory.close();
  } catch (error) {
    outcome.error = `${error.code}: ${error.message}`;
  }
  return outcome;
}

/** The option for what is stored: giving a key to what is not encrypted would encrypt it. */
async function encryptionOf(pairs) {
  return pairs.has("keys") ? { encryption: { key: await key() } } : {};
}

/** Calls that are rejected with these codes promise that they changed nothing. */
const UNCHANGED = new Set(["QuotaExceeded", "Conflict", "InvalidInput", "NotFound"]);

const never = new Promise(() => {});
const isSilent = (fault) => fault?.read === FAULTS.hangs.read;

async function turns(count) {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}
