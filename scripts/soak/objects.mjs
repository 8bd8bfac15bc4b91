/** Lets many users call their objects at once in workerd, restarts it in the middle, and looks at what each finds. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { say, seconds } from "../log.mjs";
import { bundleProject, startWorker } from "../workerd.mjs";

/** How many users and calls of each a round has: a short one, and one of a soak that has minutes. */
const SHORT = { users: 20, calls: 40 };
const LONG = { users: 1000, calls: 200 };

/**
 * Users as an app would have them, driven inside the runtime: of four calls, one remembers, one adds a fact, one recalls and one lists.
 * What is confirmed is written out at once, a line each. One request drives all: workerd closes connections that it does not get to in time.
 */
const WORKER = `
import { MemoryObject, userMemory } from "mnemic/cloudflare";

export class Chat extends MemoryObject {
  constructor(ctx, env) {
    super(ctx, env, { idleMs: 2000, limits: { callsPerMinute: 1e9 } });
  }
}

const foreign = (texts, user) => texts.filter((text) => !text.includes(" of " + user + ","));

const drive = async (memory, user, first, last, tell) => {
  for (let call = first; call < last; call += 1) {
    if (call % 4 === 0) await memory.remember({ role: "user", content: "Line " + call + " of " + user + ", which nobody else wrote" }, { learn: false });
    else if (call % 4 === 1) await memory.facts.add("Fact " + call + " of " + user + ", which nobody else has");
    else {
      const found = call % 4 === 2 ? (await memory.recall("line fact " + (call - 1))).items : await memory.facts.list({ limit: 20 });
      for (const text of foreign(found.map(({ text }) => text), user)) await tell({ user, call, foreign: text });
    }
    await tell({ user, call });
  }
};

const look = async (memory, user) => {
  const facts = (await memory.facts.list({ limit: 1000 })).map(({ text }) => text);
  const lines = (await memory.threads.messages("default", { limit: 1000 })).map(({ content }) => content);
  return { user, texts: [...facts, ...lines], ok: (await memory.verify()).ok };
};

export default {
  async fetch(request, env, ctx) {
    const { users, first, last, looks } = await request.json();
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    const tell = (line) => writer.write(new TextEncoder().encode(JSON.stringify(line) + "\\n"));
    const work = users.map(async (user) => {
      try {
        if (looks) await tell(await look(userMemory(env.OBJECT, user), user));
        else await drive(userMemory(env.OBJECT, user), user, first, last, tell);
      } catch (error) {
        await tell({ user, error: error.code + ": " + error.message });
      }
    });
    ctx.waitUntil(Promise.all(work).then(() => writer.close()));
    return new Response(readable);
  },
};
`;

export const objects = {
  name: "objects",
  shortRounds: 1,
  async run(soak) {
    const { users: count, calls } = soak.lives > 2 ? LONG : SHORT;
    const row = soak.tally.row("objects", `${count} users, ${calls} calls each`);
    const folder = await mkdtemp(join(soak.folder, "objects-"));
    const modules = await bundleProject(folder, soak.packageFolder, WORKER);
    for (let round = 0; !soak.isOver(); round += 1) {
      soak.begin(row);
      const kept = join(folder, `kept-${round}`);
      await play(soak, row, Array.from({ length: count }, (_, place) => `user ${place}`), calls, () => startWorker(modules, "Chat", kept));
      await rm(kept, { recursive: true, force: true });
    }
  },
};

/** One round: half of the calls, a restart while others are under way, the rest, another restart, and a look at everything. */
async function play({ tally, next }, row, users, calls, start) {
  const begun = performance.now();
  const confirmed = new Map(users.map((user) => [user, new Set()]));
  let total = 0;
  const heard = ({ user, call, foreign, error }) => {
    if (foreign !== undefined) tally.fault(row, "returned", { user, foreign });
    else if (error !== undefined) tally.fault(row, "refused", { user, error });
    else {
      total += 1;
      row.confirmed += 1;
      confirmed.get(user).add(call);
    }
  };
  let worker = await start();
  const half = Math.floor(calls / 2);
  await ask(worker, { users, first: 0, last: half }, heard);
  // What is cut off may have been carried out or not.
  const until = total + Math.floor(next() * users.length * 4);
  let stopping;
  const cut = ask(worker, { users, first: half, last: half + 12 }, (line) => {
    if (line.error === undefined) heard(line);
    if (total >= until) stopping ??= worker.stop();
  });
  await cut.catch(() => {});
  await (stopping ?? worker.stop());
  worker = await start();
  await ask(worker, { users, first: half + 12, last: calls }, heard);
  await worker.stop();
  const duration = (performance.now() - begun) / 1000;
  say(`objects: ${total} calls of ${users.length} users in ${duration.toFixed(0)} s, ${((1000 * duration) / total).toFixed(1)} ms each`);
  worker = await start();
  await ask(worker, { users, looks: true }, (found) => judge(tally, row, confirmed, found));
  await worker.stop();
  say(`objects: looked at in all in ${seconds(begun)}`);
}

/** Asks the Worker, and hands every line of its answer on. */
async function ask(worker, body, heard) {
  const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
  for await (const line of createInterface({ input: Readable.fromWeb(response.body) })) heard(JSON.parse(line));
}

/** What a user finds must be all that was confirmed, and nothing of anybody else. */
function judge(tally, row, confirmed, { user, texts = [], ok, error }) {
  if (error !== undefined) return tally.fault(row, "refused", { user, error });
  if (!ok) tally.fault(row, "damaged", { user });
  const found = new Set(texts);
  const lost = [...confirmed.get(user)].filter((call) => call % 4 < 2 && !found.has(textOf(user, call)));
  if (lost.length > 0) tally.fault(row, "lost", { user, lost });
  const others = texts.filter((text) => !text.includes(` of ${user},`));
  if (others.length > 0) tally.fault(row, "returned", { user, others });
  if (found.size !== texts.length) tally.fault(row, "halves", { user, twice: texts.length - found.size });
}

const textOf = (user, call) => (call % 4 === 0 ? `Line ${call} of ${user}, which nobody else wrote` : `Fact ${call} of ${user}, which nobody else has`);
