/**
 * What the soak writes: steps of which each is one call, so that what is found later is the work of exactly the first so many. Runs in
 * pages and in Node.
 */

const PARTS = [0, 1, 2];

/** Of each four steps, two append an entry, one changes the count, and one forgets the second entry. */
const isEntry = (step) => step % 4 === 1 || step % 4 === 2;
const isCount = (step) => step % 4 === 3;
const forgottenBy = (step) => (step > 0 && step % 4 === 0 ? step - 2 : undefined);

const threadOf = (step) => `entry-${step}`;

/** The parts of an entry, of up to 750 characters each and always the same. */
const entry = (step) =>
  PARTS.map((part) => `Entry ${step}, part ${part}: ${"lorem ipsum ".repeat((step * 37 + part * 11) % 60)}end`);

/** An AES-GCM key that is always the same. */
export function key() {
  const bytes = Uint8Array.from({ length: 32 }, (_, index) => index * 7);
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** Carries out one step; it is confirmed when this resolves. */
export async function take(user, step) {
  const forgotten = forgottenBy(step);
  if (forgotten !== undefined) return user.forget({ threadId: threadOf(forgotten) });
  if (isEntry(step)) {
    const messages = entry(step).map((content) => ({ role: "assistant", content }));
    return user.threads.append(messages, { threadId: threadOf(step) });
  }
  return user.documents.put(["diary"], "count", { step });
}

/** Takes one step after another and tells each one that is confirmed; `last` is left out by those that are killed. */
export async function writeOn(user, done, onConfirmed, last = Infinity) {
  for (let step = done + 1; step <= last; step += 1) {
    await take(user, step);
    onConfirmed(step);
  }
}

/** What a scope holds: the texts of each thread, and the count. */
export async function read(user) {
  const threads = {};
  for (const { threadId } of await user.threads.list()) {
    threads[threadId] = (await user.threads.messages(threadId)).map(({ content }) => content);
  }
  return { threads, count: (await user.documents.get(["diary"], "count"))?.value.step ?? 0 };
}

/** Whether the texts of an entry's thread are all of them, and as they were written. */
export function wholeness(name, texts) {
  if (texts === undefined) return "absent";
  return isSame(texts, entry(numberIn(name))) ? "whole" : `${texts.length} parts`;
}

/** What a scope holds after the first so many steps. */
export function after(steps) {
  const threads = {};
  let count = 0;
  for (let step = 1; step <= steps; step += 1) {
    if (isEntry(step)) threads[threadOf(step)] = entry(step);
    if (isCount(step)) count = step;
    delete threads[threadOf(forgottenBy(step))];
  }
  return { threads, count };
}

/**
 * Judges what was found.
 *
 * @param {{threads: Record<string, string[]>, count: number}} found
 * @param {number} confirmed how many steps were confirmed
 * @returns {{step: number, lost: string[], halves: string[], returned: string[]}} `step`: how many steps it is the work of, or would
 *   have to be; `lost`: what was confirmed and is not there; `halves`: what no whole number of steps leaves; `returned`: what was
 *   forgotten and is there
 */
export function judge(found, confirmed) {
  const latest = Math.max(found.count, ...Object.keys(found.threads).map(numberIn));
  // The step behind the latest that left something may have forgotten.
  const whole = [latest + 1, latest].find((step) => isSame(found, after(step)));
  const verdict = { step: whole ?? latest, lost: [], halves: [], returned: [] };
  if (whole >= confirmed) return verdict;
  const expected = after(Math.max(verdict.step, confirmed));
  for (const name of new Set([...Object.keys(expected.threads), ...Object.keys(found.threads)])) {
    const state = wholeness(name, found.threads[name]);
    if (state === "absent") verdict.lost.push(name);
    else if (state !== "whole") verdict.halves.push(`${name}: ${state}`);
    else if (!(name in expected.threads)) verdict.returned.push(name);
  }
  if (found.count !== expected.count) verdict.lost.push(`count ${expected.count}, found ${found.count}`);
  return verdict;
}

const numberIn = (name) => Number(/\d+$/.exec(name)[0]);

const isSame = (one, other) => canonical(one) === canonical(other);
const canonical = (value) => JSON.stringify(value.threads ? { ...value, threads: Object.entries(value.threads).sort() } : value);

/**
 * Opens a memory of the diary.
 *
 * @param {object} options of `openMemory`; `encrypted` stands for the key
 * @param {number} confirmed how many steps were confirmed
 * @returns {Promise<{memory, user, found}>} `found`: what `judge` says, with damaged keys and the event that told of a loss. What was
 *   told as lost without a copy counts as told, and not as lost.
 */
export async function openDiary(openMemory, { encrypted = false, ...options }, confirmed) {
  const encryption = encrypted ? { encryption: { key: await key() } } : {};
  const memory = await openMemory({ name: "soak", extraction: { auto: false }, ...options, ...encryption });
  let wiped;
  memory.on("wiped", (event) => (wiped ??= event));
  const user = memory.scope({ userId: "alice" });
  const state = await read(user);
  const { damage } = await memory.verify();
  const isTold = wiped !== undefined && options.copy === undefined;
  const found = { ...judge(state, isTold ? 0 : confirmed), damaged: isTold ? [] : damage.map(({ key }) => key), ...(wiped && { wiped }) };
  return { memory, user, found };
}
