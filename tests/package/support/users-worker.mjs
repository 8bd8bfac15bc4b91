/** A Worker with users' objects, which do and tell what tests ask of them. */
import { watchInstances } from "./instances.mjs";

export const WORKER = `
import { MemoryObject, memoryRouter, userMemory } from "mnemic/cloudflare";

const learned = { action: "add", text: "The user keeps bees.", category: "personal info", significance: 6, message: 1, quote: "I keep bees" };

(${watchInstances})();

/** Options by the end of the user's name: an object does not know who its user is, but its id does. */
const OPTIONS = {
  limited: { limits: { callsPerMinute: 5, requestBytes: 300 } },
  imports: { limits: { importBytes: 1000 } },
  full: { limits: { storedBytes: 60_000 } },
  modelled: { extraction: { trigger: { messages: 100, idleMs: 300 } }, limits: { modelCallsPerDay: 1 } },
  // Long enough to be looked at and evicted before, on a slow machine too.
  evicted: { extraction: { trigger: { messages: 100, idleMs: 5_000 } }, limits: { modelCallsPerDay: 1 } },
  slow: { idleMs: 60_000 },
  hasty: { idleMs: 0, extraction: { trigger: { messages: 100, idleMs: 600_000 } } },
  large: { limits: { requestBytes: 24 << 20 } },
  busy: { idleMs: 2_000, limits: { callsPerMinute: 100_000 } },
};

export class Chat extends MemoryObject {
  constructor(ctx, env) {
    // Woken by an alarm, an object is not told its name.
    const name = ctx.id.name ?? ctx.storage.kv.get("name");
    if (!name.endsWith("-clean")) ctx.storage.kv.put("name", name);
    const tell = (told) => ctx.waitUntil(env.TOLD.fetch("http://told/", { method: "POST", body: JSON.stringify({ name, ...told }) }));
    const llm = async ({ purpose }) => {
      if (purpose === "rewrite") return { queries: ["Where does Ana live?"] };
      tell({ kind: "model" });
      if (ctx.storage.kv.get("model is away")) throw new Error("the model is away");
      return { facts: [learned] };
    };
    const kind = name.split("-").at(-1);
    // What a test makes fail, fails in the storage itself.
    const { sql, kv } = ctx.storage;
    const exec = sql.exec.bind(sql);
    sql.exec = (query, ...values) => {
      const failing = kv.get("failing");
      if (failing && query.includes(failing)) throw new Error("disk I/O error: SQLITE_IOERR");
      return exec(query, ...values);
    };
    super(ctx, env, { idleMs: 20, metric: tell, ...(["modelled", "evicted", "hasty"].includes(kind) && { llm }), ...(kind === "traced" && { span: (span) => tell({ kind: "span", span }) }), ...OPTIONS[kind] });
  }

  /** What a test does to the object, or asks of it. */
  async meddle({ keep, abort, ask, ruin, wake }) {
    if (wake) await this.alarm();
    if (ruin) globalThis.ruin();
    for (const [key, value] of Object.entries(keep ?? {})) value === null ? this.ctx.storage.kv.delete(key) : this.ctx.storage.kv.put(key, value);
    if (abort) {
      await this.ctx.storage.sync();
      this.ctx.abort("evicted by a test");
    }
    if (ask === "alarm") return this.ctx.storage.getAlarm();
    if (ask === "tables") return this.ctx.storage.sql.exec("SELECT name FROM sqlite_master WHERE name LIKE 'mnemic%'").toArray().map(({ name }) => name);
    if (ask === "database") return this.ctx.storage.sql.exec("SELECT name FROM sqlite_master").toArray();
    if (ask === "pairs") return Object.fromEntries(this.ctx.storage.kv.list({ prefix: "mnemic" }));
    if (ask === "two scopes") return this.use(async (user, memory) => [user.scope, (await memory.usage()).scopes]);
    return null;
  }
}

const authenticate = async (request) => {
  const token = request.headers.get("authorization")?.replace("Bearer ", "");
  if (token === "throw") throw new Error("a wrong signature");
  return token && JSON.parse(decodeURIComponent(token));
};

const told = (metric, env) => void env.TOLD.fetch("http://told/", { method: "POST", body: JSON.stringify({ ...metric, kind: "request", error: String(metric.error) }) });
const router = memoryRouter({ namespace: (env) => env.OBJECT, authenticate, origins: ["https://app.example"], metric: told });

export default {
  async fetch(request, env) {
    const answer = await router.route(request, env);
    if (answer) return answer;
    const { user, name, values, meddle, without, tangled, large } = await request.json();
    if (large) {
      const { documents } = userMemory(env.OBJECT, user);
      const bytes = Uint8Array.from({ length: large }, (_, place) => place % 251);
      await documents.put(["large"], "rpc", bytes);
      const { data } = await documents.get(["large"], "rpc");
      const both = await documents.search(["large"]).catch(({ name, message }) => ({ name, message }));
      return Response.json({ size: data.byteLength, isWhole: data.every((byte, place) => byte === place % 251), both });
    }
    if (tangled) {
      const metadata = {};
      metadata.left = metadata.right = metadata;
      values.push({ metadata });
    }
    if (without) {
      try {
        memoryRouter(without === "all" ? undefined : { namespace: (env) => env.OBJECT });
      } catch ({ code, message }) {
        return Response.json({ code, message });
      }
    }
    if (meddle) {
      const stub = env.OBJECT.get(env.OBJECT.idFromName("mnemic/user/" + user));
      return Response.json(await stub.meddle(meddle).catch(({ message }) => message));
    }
    try {
      const memory = userMemory(env.OBJECT, user);
      const method = name.split(".").reduce((target, step) => target[step], memory);
      const result = await method(...(name === "import" ? [new TextEncoder().encode(values[0])] : values));
      return Response.json({ value: name === "export" ? (await new Response(result).arrayBuffer()).byteLength : result });
    } catch (error) {
      return Response.json({ error: { class: error.constructor.name, code: error.code, message: error.message, details: error.details } });
    }
  },
};
`;
