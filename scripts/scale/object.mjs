/** What one user's object takes: rows, bytes, memory and time, measured in workerd. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { at } from "../project.mjs";
import { bundleProject, startWorker } from "../workerd.mjs";

/** Facts of 90 characters, and turns of 120 and 400 characters: what people and assistants write. */
const WORKER = `
import { MemoryObject } from "mnemic/cloudflare";

const words = "river lamp cello bread harbour window pencil garden winter market orange ladder silver forest button travel".split(" ");
const text = (seed, length) => {
  let said = "";
  for (let place = seed; said.length < length; place = (place * 31 + 7) % 99991) said += words[place % words.length] + place + " ";
  return said.slice(0, length);
};

export class Measured extends MemoryObject {
  constructor(ctx, env) {
    const rows = { read: 0, written: 0 };
    const { storage } = ctx;
    const count = (owner, name, work) => {
      const original = owner[name].bind(owner);
      owner[name] = (...values) => work(original, values);
    };
    count(storage.sql, "exec", (exec, values) => {
      const cursor = exec(...values);
      return {
        toArray() {
          const found = cursor.toArray();
          rows.read += cursor.rowsRead;
          rows.written += cursor.rowsWritten;
          return found;
        },
      };
    });
    for (const [owner, name] of [[storage, "setAlarm"], [storage, "deleteAlarm"], [storage.kv, "put"], [storage.kv, "delete"]]) {
      count(owner, name, (original, values) => ((rows.written += 1), original(...values)));
    }
    const happened = { open: 0, close: 0, alarm: 0, call: 0 };
    const llm = async ({ messages }) => {
      const number = /river\\d+/.exec(messages.at(-1).content)?.[0] ?? "bread";
      return { facts: [{ action: "add", text: "The user likes " + number + ".", category: "preferences", significance: 5, message: 1, quote: number }] };
    };
    const isModelled = ctx.id.name === "modelled" || storage.kv.get("modelled") === true;
    if (isModelled) storage.kv.put("modelled", true);
    super(ctx, env, {
      idleMs: isModelled ? 100 : 60_000,
      limits: { callsPerMinute: 1e9 },
      metric: ({ kind }) => (happened[kind] += 1),
      ...(isModelled && { llm, extraction: { trigger: { messages: 100, idleMs: 400 } } }),
    });
    this.state = async () => ({ rows: { ...rows }, happened: { ...happened }, bytes: storage.sql.databaseSize, alarm: await storage.getAlarm() });
  }

  async work({ turns = 0, facts = 0, messages = 0, first = 0, abort, health }) {
    if (abort) return this.ctx.abort("to be opened anew");
    if (turns === 0 && facts === 0 && messages === 0 && !health) return this.state();
    return this.use(async (user, memory) => {
      for (let turn = first; turn < first + turns; turn += 1) {
        await user.recall(text(turn, 60));
        await user.remember([{ role: "user", content: text(turn, 120) }, { role: "assistant", content: text(turn + 1, 400) }]);
      }
      for (let place = first; place < first + facts; place += 500) {
        await user.facts.import(Array.from({ length: Math.min(500, first + facts - place) }, (_, index) => ({ text: text(place + index + 1, 90) })));
      }
      for (let place = first; place < first + messages; place += 100) {
        const said = Array.from({ length: 100 }, (_, index) => ({ role: index % 2 ? "assistant" : "user", content: text(place + index + 1, index % 2 ? 400 : 120) }));
        await user.remember(said, { learn: false, threadId: "thread " + place });
      }
      await memory.idle();
      return { ...(await this.state()), memory: (await memory.health()).memory?.bytes, records: (await memory.usage()).records };
    });
  }
}

export default {
  async fetch(request, env) {
    const { name, ...work } = await request.json();
    return Response.json((await env.OBJECT.get(env.OBJECT.idFromName(name)).work(work)) ?? null);
  },
};
`;

/** How much the objects hold that are measured. */
const SIZES = [{ facts: 100 }, { facts: 1000 }, { facts: 10_000 }, { messages: 1000 }, { messages: 10_000 }];

/** Measures: `turn`, what a turn of a chat takes with all that follows; `held`, what objects take that hold so much. */
export async function measureObject() {
  const folder = await mkdtemp(join(tmpdir(), "mnemic-scale-"));
  try {
    const worker = await startWorker(await bundleProject(folder, at("pkg"), WORKER), "Measured", join(folder, "kept"));
    try {
      return { turn: await measureTurn(worker), held: await measureSizes(worker) };
    } finally {
      await worker.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const SESSIONS = 20;
const TURNS = 5;

/** Sessions of five turns, each with its opening, learning by alarm, and closing. */
async function measureTurn(worker) {
  const name = "modelled";
  const rested = async (sessions) => {
    for (;;) {
      const state = await worker.ask("", { name });
      if (state.alarm === null && state.happened.alarm >= sessions && state.happened.close >= 2 * sessions) return state;
      await later(50);
    }
  };
  let before;
  for (let session = 0; session <= SESSIONS; session += 1) {
    await worker.ask("", { name, turns: TURNS, first: session * TURNS });
    const state = await rested(session + 1);
    // The first session makes the database.
    before ??= state;
    if (session < SESSIONS) continue;
    const per = (value, earlier) => (value - earlier) / (SESSIONS * TURNS);
    return {
      rowsRead: per(state.rows.read, before.rows.read),
      rowsWritten: per(state.rows.written, before.rows.written),
      alarmsPerSession: (state.happened.alarm - before.happened.alarm) / SESSIONS,
      bytes: per(state.bytes, before.bytes),
    };
  }
}

async function measureSizes(worker) {
  const found = [];
  for (const size of SIZES) {
    const name = JSON.stringify(size);
    const { bytes, memory, records } = await worker.ask("", { name, ...size });
    const times = [];
    for (let again = 0; again < 3; again += 1) {
      await worker.ask("", { name, abort: true }).catch(() => {});
      const start = performance.now();
      await worker.ask("", { name, health: true });
      times.push(performance.now() - start);
    }
    found.push({ size, records, bytes, memory, openMs: Math.min(...times) });
  }
  return found;
}
