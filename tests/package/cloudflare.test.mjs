/** Users' objects in Cloudflare's runtime: routing, isolation, limits, alarms, failures, and taking a user's memory out and away. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";
import { WORKER } from "./support/users-worker.mjs";
import { bundleWorker, startWorker } from "../../scripts/workerd.mjs";

let project, modules, worker, client;

/** What the objects and the router told, and who waits for something of it. */
const told = [];
const waiting = new Set();

/** The first thing that was told, or will be, after the first `from` ones, for which `is` holds. */
function heard(is, from = 0) {
  const found = told.slice(from).find(is);
  if (found) return found;
  return new Promise((resolve) => waiting.add({ is, resolve }));
}

const TOLD = {
  async TOLD(request) {
    const event = await request.json();
    told.push(event);
    for (const one of waiting) {
      if (!one.is(event)) continue;
      waiting.delete(one);
      one.resolve(event);
    }
    return new Response();
  },
};

before(async () => {
  project = await createProject({ "worker.js": WORKER });
  modules = await bundleWorker(project, "worker.js");
  worker = await start();
  client = await project.import('export * from "mnemic/cloudflare/client";');
});

after(async () => {
  await worker?.stop();
  await project?.remove();
});

const start = () => startWorker(modules, "Chat", project.path("kept"), { serviceBindings: TOLD });
const restart = async () => {
  await worker.stop();
  worker = await start();
};
const tokenOf = (user) => encodeURIComponent(JSON.stringify(user));
const url = "http://worker/memory";
const fetch = (...given) => worker.fetch(...given);
const memoryOf = (user) => client.memoryClient({ url, token: tokenOf(user), fetch });
const meddle = (user, meddle) => worker.ask("", { user, meddle });
const byRpc = async (user, name, ...values) => {
  const { value, error } = await worker.ask("", { user, name, values });
  if (error) throw Object.assign(new Error(error.message), error);
  return value;
};
const named = (user, kind) => (event) => event.name === `mnemic/user/${user}` && event.kind === kind;

test("a client has the methods of a scope, by HTTP and by RPC, with dates, options and errors", async () => {
  const alice = memoryOf("alice");
  const createdAt = new Date("2026-03-01T10:00:00Z");
  await alice.remember({ role: "user", content: "I play the cello.", createdAt }, { threadId: "monday" });
  assert.equal((await alice.threads.messages("monday"))[0].createdAt, createdAt.getTime());
  const { id } = await alice.facts.add("Alice sails", { metadata: { since: createdAt } });
  assert.deepEqual((await byRpc("alice", "facts.get", id)).metadata, { since: createdAt.toISOString() });
  assert.match((await alice.recall("do I play the cello?")).text, /cello/);
  await assert.rejects(alice.facts.update("0191a0b0-0000-7000-8000-000000000000", { text: "x" }), client.NotFoundError);
  await assert.rejects(byRpc("alice", "facts.add", ""), { class: "InvalidInputError", code: "InvalidInput" });
  await assert.rejects(async () => alice.facts.add("x", { metadata: { f() {} } }), client.InvalidInputError);
  assert.equal((await alice.usage()).scopes, 1);
  assert.deepEqual((await alice.inspect()).records, (await byRpc("alice", "inspect")).records);
  assert.equal((await alice.inspect()).records.message, 1);
  assert.equal(await alice.facts.delete(id).then(() => alice.facts.get(id)), null);
  assert.equal(await alice, alice, "a client is no promise");
});

/** Bytes could not be put, and what was read of them was an object with a property for each. */
test("documents of bytes come back as they were, by HTTP and by RPC", async () => {
  const erin = memoryOf("erin-large");
  const bytes = Uint8Array.from({ length: 1000 }, (_, place) => place % 251);
  await erin.documents.put(["images"], "dot", bytes);
  await erin.documents.batch([{ op: "put", namespace: ["images"], key: "none", value: new Uint8Array() }]);
  const { data, value } = await erin.documents.get(["images"], "dot");
  assert.deepEqual([data, value], [bytes, {}]);
  const found = await erin.documents.search(["images"], { orderBy: "key" });
  assert.deepEqual(found.map(({ key, data }) => [key, data]), [["dot", bytes], ["none", new Uint8Array()]]);
  const { size, isWhole } = await worker.ask("", { user: "erin-large", large: 1000 });
  assert.deepEqual([size, isWhole], [1000, true]);
  const gone = new Uint8Array(8);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  await assert.rejects(erin.documents.put(["images"], "gone", gone), { code: "InvalidInput", message: /transferred/ });
  const body = '{"args":[["images"],"wrong",{"text":"%"}],"bytes":[[2,"text"]]}';
  const wrong = await fetch(`${url}/call/documents.put`, { method: "POST", headers: { authorization: `Bearer ${tokenOf("erin-large")}`, "content-type": "application/json" }, body });
  assert.deepEqual([wrong.status, (await wrong.json()).error.code], [400, "InvalidInput"]);
});

test("documents of 16 MiB cross where requests may be as large, also many at once and with a restart in between", { timeout: 300_000 }, async () => {
  const bytes = Uint8Array.from({ length: 16 << 20 }, (_, place) => (place * 2654435761) >>> 13);
  const small = memoryOf("carol");
  await assert.rejects(small.documents.put(["large"], "bytes", bytes), (error) => error.code === "InvalidInput" && error.details.limit === 1 << 20);
  const users = ["erin-large", "otto-large", "uma-large"];
  const isOf = (data, number) => data.byteLength === bytes.byteLength && data.every((byte, place) => byte === (bytes[place] ^ number));
  await Promise.all(users.map((user, number) => memoryOf(user).documents.put(["large"], "bytes", bytes.map((byte) => byte ^ number))));
  await restart();
  for (const [number, user] of users.entries()) assert.ok(isOf((await memoryOf(user).documents.get(["large"], "bytes")).data, number), user);
  const { size, isWhole, both } = await worker.ask("", { user: "erin-large", large: 16 << 20 });
  assert.deepEqual([size, isWhole], [16 << 20, true]);
  // Two of them are more than an answer by RPC holds; by HTTP they cross.
  assert.deepEqual([both.name, /32MiB/.test(both.message)], ["UnreachableError", true]);
  assert.equal((await memoryOf("erin-large").documents.search(["large"])).length, 2);
  const tooLarge = { code: "InvalidInput", message: /16777216/ };
  await assert.rejects(memoryOf("otto-large").documents.put(["large"], "more", { text: "x".repeat((16 << 20) + 1) }), tooLarge);
  await assert.rejects(memoryOf("otto-large").documents.put(["large"], "more", new Uint8Array((16 << 20) + 1)), tooLarge);
  // Put again and again while the object is ended in the middle: the last one that was stored is there, whole.
  let last = 2;
  for (const number of [3, 4, 5]) {
    const memory = memoryOf("uma-large");
    const putting = memory.documents.put(["large"], "bytes", bytes.map((byte) => byte ^ number)).then(() => true, ({ name }) => (assert.equal(name, "UnreachableError"), false));
    await meddle("uma-large", { abort: true });
    const isPut = await putting;
    const { data } = await memoryOf("uma-large").documents.get(["large"], "bytes");
    const found = data[0] ^ bytes[0];
    assert.ok(isOf(data, found) && (found === number || (!isPut && found === last)), `${found} after ${last}, ${number}`);
    last = found;
    assert.ok((await memoryOf("uma-large").verify()).ok);
  }
});

test("the model of an object rewrites queries", async () => {
  const { rewritten } = await memoryOf("rosa-modelled").recall("And what about her?", { rewrite: true, hops: 1 });
  assert.deepEqual([rewritten.queries, rewritten.failed], [["Where does Ana live?"], undefined]);
});

test("an object tells of the spans of its calls, by HTTP and by RPC, and of what failed", async () => {
  const from = told.length;
  const spanOf = async (name) => (await heard((event) => named("gwen-traced", "span")(event) && event.span.name === name, from)).span;
  await memoryOf("gwen-traced").recall("do I play the cello?");
  await assert.rejects(byRpc("gwen-traced", "facts.add", ""), { code: "InvalidInput" });
  for (const [name, code] of [["open", 0], ["recall", 0], ["facts.add", 2]]) {
    const { kind, status, startTimeUnixNano, endTimeUnixNano } = await spanOf(name);
    assert.deepEqual([name, kind, status], [name, 1, { code }]);
    assert.match(startTimeUnixNano, /^\d{19}$/);
    assert.ok(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano));
  }
});

/** One that leads to itself in two ways was followed along 2^64 paths. */
test("arguments that contain themselves are refused, by HTTP and by RPC", async () => {
  const both = { at: new Date(0) };
  both.left = both.right = { both, self: both };
  await assert.rejects(async () => memoryOf("alice").facts.add("x", { metadata: both }), (error) => {
    assert.ok(error instanceof client.InvalidInputError);
    return /contains itself/.test(error.message);
  });
  const { error } = await worker.ask("", { user: "alice", name: "facts.add", values: ["x"], tangled: true });
  assert.equal(error.class, "InvalidInputError");
});

test("a signal ends the waiting of a client", async () => {
  const controller = new AbortController();
  controller.abort();
  await assert.rejects(memoryOf("alice").recall("cello", { signal: controller.signal }), client.AbortedError);
});

test("only what a scope offers can be called, whatever is asked for", async () => {
  const names = ["constructor", "facts.constructor", "facts.__proto__.add", "__proto__", "scope.hasOwnProperty", "asOf", "readOnly", "temporary", "export", "encryption.status", "facts", "close", "facts.add.call", "facts.list.constructor", "toString", "hasOwnProperty", "profiles..get", "call"];
  for (const name of names) {
    const response = await fetch(`${url}/call/${name}`, { method: "POST", headers: { authorization: `Bearer ${tokenOf("alice")}`, "content-type": "application/json" }, body: '{"args":[]}' });
    const { error } = await response.json();
    assert.deepEqual([name, response.status, error?.code], [name, 400, "InvalidInput"]);
  }
  for (const body of ["", "null", "[]", '{"args":{}}', '{"args":[1,2,3,4,5,6,7,8,9]}', '{"args":[],"dates":[["__proto__","x"],5,[]]}{']) {
    const response = await fetch(`${url}/call/facts.list`, { method: "POST", headers: { authorization: `Bearer ${tokenOf("alice")}`, "content-type": "application/json" }, body });
    assert.deepEqual([body, response.status], [body, 400]);
  }
});

test("there is no router without authentication", async () => {
  for (const without of ["all", "authenticate"]) {
    const { code, message } = await worker.ask("", { without });
    assert.equal(code, "InvalidInput");
    assert.match(message, /options\.authenticate/);
  }
});

test("nobody comes in without a user, and the router tells why", async () => {
  const from = told.length;
  for (const token of [undefined, "throw", tokenOf(""), tokenOf(null), tokenOf(5), tokenOf({ toString: "alice" }), tokenOf(["alice"])]) {
    const memory = client.memoryClient({ url, token, fetch });
    await assert.rejects(memory.facts.list(), client.UnauthorizedError, String(token));
  }
  const { error } = await heard(({ kind, error }) => kind === "request" && /signature/.test(error), from);
  assert.match(error, /a wrong signature/);
  const strange = await fetch(`${url}/call/facts.list`, { method: "POST", headers: { authorization: `Bearer ${tokenOf("alice")}`, "content-type": "text/plain" }, body: "{}" });
  assert.equal(strange.status, 400, "a form of another site sends no JSON");
  assert.equal((await fetch(`${url}/else`, { headers: { authorization: `Bearer ${tokenOf("alice")}` } })).status, 404);
});

test("pages of other origins may call when they are named", async () => {
  const ask = (origin) => fetch(`${url}/call/facts.list`, { method: "OPTIONS", headers: { origin } });
  assert.equal((await ask("https://evil.example")).status, 403);
  const allowed = await ask("https://app.example");
  assert.deepEqual([allowed.status, allowed.headers.get("access-control-allow-origin")], [204, "https://app.example"]);
});

const HOSTILE = ["alice ", " alice", "Alice", "alice\u0000", "alice/../bob", "../alice", "mnemic/user/alice", "%61lice", "alicé", "alice\u0301", "__proto__", "constructor", "a".repeat(512), "' OR 1=1 --", "\u202Ealice", "𝒶lice", "alice\n", "*"];

test("ids that look alike, or like something else, are users of their own", async () => {
  await Promise.all(HOSTILE.map(async (user, place) => {
    await memoryOf(user).facts.add(`Fact of user ${place}`);
  }));
  for (const [place, user] of HOSTILE.entries()) {
    const facts = await memoryOf(user).facts.list();
    assert.deepEqual(facts.map(({ text }) => text), [`Fact of user ${place}`], JSON.stringify(user));
  }
  assert.deepEqual((await memoryOf("alice").facts.list()).length, 0);
});

test("ids that would fall together, or are none, are refused", async () => {
  for (const user of ["\ud800", "a\udc00b", "a".repeat(513), "é".repeat(257)]) {
    await assert.rejects(byRpc(user, "facts.list"), { code: "InvalidInput" });
    await assert.rejects(memoryOf(user).facts.list(), client.InvalidInputError);
  }
});

test("calls beyond the limits of a user are refused with typed errors, a status and a time", async () => {
  const memory = memoryOf("bob-limited");
  await assert.rejects(memory.facts.add("x".repeat(400)), (error) => error instanceof client.InvalidInputError && error.details.limit === 300);
  for (let call = 1; call < 5; call += 1) await memory.facts.list();
  await assert.rejects(memory.facts.list(), (error) => {
    assert.ok(error instanceof client.RateLimitedError);
    assert.ok(error.details.retryAfterMs > 0 && error.details.retryAfterMs <= 12_000, error.message);
    return true;
  });
  const response = await fetch(`${url}/call/facts.list`, { method: "POST", headers: { authorization: `Bearer ${tokenOf("bob-limited")}`, "content-type": "application/json" }, body: '{"args":[]}' });
  assert.deepEqual([response.status, Number(response.headers.get("retry-after")) > 0], [429, true]);
  await memoryOf("carol").facts.list();
});

/** An import was not bounded: one user could fill the memory that all objects of an isolate share. */
test("an import beyond its limit is refused before it is read, and while it is, by HTTP and by RPC", async () => {
  const memory = memoryOf("bob-imports");
  const file = new Uint8Array(1001).fill(0x20);
  const refused = (error) => error instanceof client.InvalidInputError && error.details.limit === 1000;
  await assert.rejects(memory.import(file), refused);
  await assert.rejects(memory.import(new Blob([file]).stream()), refused);
  assert.equal((await byRpc("bob-imports", "import", "x".repeat(1001)).catch(({ details }) => details.limit)), 1000);
  const headers = { authorization: `Bearer ${tokenOf("bob-imports")}`, "content-type": "Application/Octet-Stream; x=y" };
  assert.equal((await fetch(`${url}/import`, { method: "POST", headers, body: file })).status, 413);
  const { done } = await memory.import(new TextEncoder().encode(JSON.stringify([{ id: "m1", memory: "Bob plays the cello" }])));
  assert.equal(done, 1);
});

/** A backup as a version to come would begin it: after the eight bytes that say what it is, a header with its own checksum. */
async function newer(file) {
  const { checksum } = await project.import('export * from "./node_modules/mnemic/files/checksum.js";');
  const later = file.slice();
  later[10] = 255;
  new DataView(later.buffer).setUint32(20, checksum(later.subarray(8, 20)), true);
  return later;
}

/** A file that is damaged was told as a fault of the server, and an export by RPC was neither counted nor told. */
test("a damaged file is the fault of who sends it, and exports count as calls", async () => {
  const headers = { authorization: `Bearer ${tokenOf("nina")}`, "content-type": "application/octet-stream" };
  const file = new Uint8Array(await new Response(await memoryOf("nina").export()).arrayBuffer());
  const later = await fetch(`${url}/import`, { method: "POST", headers, body: await newer(file) });
  assert.deepEqual([later.status, (await later.json()).error.code], [400, "UnsupportedVersion"]);
  file.fill(0, file.length / 2);
  assert.equal((await fetch(`${url}/import`, { method: "POST", headers, body: file })).status, 400);
  for (let call = 0; call < 5; call += 1) await byRpc("nina-limited", "export");
  await assert.rejects(byRpc("nina-limited", "export"), { class: "RateLimitedError" });
});

test("waking does not give back the calls of a minute", async () => {
  const memory = memoryOf("rosa-limited");
  for (let call = 0; call < 5; call += 1) await memory.facts.list();
  await meddle("rosa-limited", { abort: true });
  await assert.rejects(memory.facts.list(), client.RateLimitedError);
});

test("calls that come back before an object can hibernate are not written down", async () => {
  const memory = memoryOf("sara");
  for (let call = 0; call < 20; call += 1) await memory.facts.list();
  assert.deepEqual(await meddle("sara", { ask: "pairs" }), {});
});

test("the counts of a user outlive the deletion of their memory until they limit nothing, and nothing else does", async () => {
  const user = "tina-modelled";
  const memory = memoryOf(user);
  await memory.remember({ role: "user", content: "I keep bees." });
  await memory.flush();
  await memory.deleteUser();
  const { day } = (await meddle(user, { ask: "pairs" }))["mnemic/model-calls"];
  assert.ok([0, 1].includes(Math.floor(Date.now() / 86_400_000) - day));
  assert.deepEqual(await meddle(user, { ask: "pairs" }), { "mnemic/model-calls": { day, calls: 1 } });
  assert.deepEqual(await meddle(user, { ask: "tables" }), []);
  assert.equal(await meddle(user, { ask: "alarm" }), (day + 1) * 86_400_000, "they are deleted when the day is over");
  await meddle(user, { wake: true });
  assert.deepEqual(await meddle(user, { ask: "pairs" }), { "mnemic/model-calls": { day, calls: 1 } }, "not before");
  await meddle(user, { keep: { "mnemic/model-calls": { day: day - 1, calls: 1 } } });
  await meddle(user, { wake: true });
  assert.deepEqual(await meddle(user, { ask: "pairs" }), {});
  assert.deepEqual(await meddle(user, { ask: "tables" }), [], "no memory was opened for it");
  await meddle(user, { keep: { "mnemic/model-calls": { day, calls: 1 } } });
  await memory.remember({ role: "user", content: "I keep bees." });
  await assert.rejects(memory.flush(), client.BudgetExceededError);
});

/** Who only looked had a table, and who was deleted kept an empty database, which are billed. */
test("looking leaves no database behind, and neither does a deletion once the counts are over", async () => {
  const user = "vera-clean";
  const memory = memoryOf(user);
  assert.deepEqual([await memory.facts.list(), await meddle(user, { ask: "database" })], [[], []]);
  await memory.facts.add("Vera keeps bees");
  assert.equal((await memory.facts.list()).length, 1);
  assert.ok((await meddle(user, { ask: "database" })).length > 0);
  await memory.deleteUser();
  assert.deepEqual(await meddle(user, { ask: "database" }), []);
  const yesterday = Math.floor(Date.now() / 86_400_000) - 1;
  await meddle(user, { keep: { "mnemic/model-calls": { day: yesterday, calls: 1 } } });
  assert.ok((await meddle(user, { ask: "database" })).length > 0);
  await meddle(user, { wake: true });
  assert.deepEqual(await meddle(user, { ask: "database" }), []);
  await meddle(user, { keep: { "mnemic/model-calls": { day: yesterday, calls: 1 }, "of the app": 7 } });
  await meddle(user, { wake: true });
  assert.ok((await meddle(user, { ask: "database" })).length > 0, "what an app keeps beside it stays");
});

test("a full object refuses what adds, and takes what forgets", async () => {
  const memory = memoryOf("dora-full");
  const add = async () => {
    for (let place = 0; ; place += 1) await memory.documents.put(["notes"], `note-${place}`, { text: "word ".repeat(500) });
  };
  await assert.rejects(add(), (error) => error instanceof client.QuotaExceededError);
  const stored = await memory.documents.search(["notes"]);
  assert.ok(stored.length > 3, `${stored.length}`);
  await memory.forget({ scope: true });
  assert.deepEqual(await memory.documents.search(["notes"]), []);
});

test("the memory is closed when nobody calls, and opened by the next call", async () => {
  const memory = memoryOf("erin");
  const from = told.length;
  await memory.remember({ role: "user", content: "I live in Porto." });
  await heard(named("erin", "close"), from);
  const facts = (await memory.facts.list()).map(({ text }) => text);
  assert.deepEqual(facts, ["The user lives in Porto."], "what was due was learned before it closed");
  assert.equal(told.slice(from).filter(named("erin", "open")).length, 2);
  assert.equal(await meddle("erin", { ask: "alarm" }), null, "nothing is left to wake for");
});

test("an object that is evicted before it has learned is woken by its alarm, and so is one that waits for a model", async () => {
  const memory = memoryOf("frank-evicted");
  const from = told.length;
  await memory.remember({ role: "user", content: "I keep bees." });
  assert.ok((await meddle("frank-evicted", { ask: "alarm" })) > Date.now(), "a confirmed call has an alarm for what it left to do");
  await heard(named("frank-evicted", "close"), from);
  assert.ok((await meddle("frank-evicted", { ask: "alarm" })) !== null);
  assert.equal(told.slice(from).some(named("frank-evicted", "model")), false);
  await meddle("frank-evicted", { abort: true });
  await heard(named("frank-evicted", "alarm"), from);
  assert.deepEqual((await memory.facts.list()).map(({ text }) => text), ["The user keeps bees."]);
  assert.equal(told.slice(from).filter(named("frank-evicted", "model")).length, 1);
  // The day's calls are used up now.
  await memory.remember({ role: "user", content: "I keep bees, and goats." });
  await assert.rejects(memory.flush(), (error) => error instanceof client.BudgetExceededError && error.details.limit === 1);
  assert.deepEqual(told.slice(from).filter(named("frank-evicted", "model")).length, 1);
});

test("an object at rest has an alarm for what it left to do, however its calls and its rests meet", async () => {
  const user = "uma-hasty";
  const memory = memoryOf(user);
  for (let round = 0; round < 8; round += 1) {
    const from = told.length;
    await Promise.all([memory.remember({ role: "user", content: `I keep ${round} bees.` }), memory.facts.list(), meddle(user, { wake: true })]);
    await memory.remember({ role: "user", content: `I sold ${round} bees.` });
    await heard(named(user, "close"), from);
    const alarm = await meddle(user, { ask: "alarm" });
    assert.ok(alarm > Date.now(), `round ${round}: ${alarm}`);
  }
});

test("a model that is away is asked again by an alarm that waits longer and longer", async () => {
  const user = "gina-modelled";
  await meddle(user, { keep: { "model is away": true } });
  const from = told.length;
  await memoryOf(user).remember({ role: "user", content: "I keep bees." });
  await heard(named(user, "alarm"), from);
  const alarm = await meddle(user, { ask: "alarm" });
  assert.ok(alarm > Date.now() + 30_000, `${alarm - Date.now()} ms`);
});

test("an opening that failed is not kept: the next call opens", async () => {
  const memory = memoryOf("henry");
  await memory.facts.add("Henry sails");
  await meddle("henry", { keep: { failing: "SELECT key" } });
  await meddle("henry", { abort: true });
  for (let again = 0; again < 3; again += 1) await assert.rejects(memory.facts.list(), client.StorageError);
  await meddle("henry", { keep: { failing: null } });
  assert.deepEqual((await memory.facts.list()).map(({ text }) => text), ["Henry sails"]);
});

test("when the engine's instance dies, the next call of each object opens its memory in a new one", async () => {
  const [mary, nora] = [memoryOf("mary-slow"), memoryOf("nora-slow")];
  await mary.facts.add("Mary sails");
  await nora.facts.add("Nora sails");
  await meddle("nora-slow", { ruin: true });
  await assert.rejects(mary.facts.add("Mary dives"), client.CrashedError);
  // The instance was of both: who was not calling does not even notice.
  assert.deepEqual((await nora.facts.list()).map(({ text }) => text), ["Nora sails"]);
  assert.deepEqual((await mary.facts.list()).map(({ text }) => text), ["Mary sails"]);
  await mary.facts.add("Mary climbs");
});

test("a write that fails changes nothing, and is told as what it is", async () => {
  const memory = memoryOf("iris");
  await memory.facts.add("Iris sails");
  await meddle("iris", { keep: { failing: "INSERT" } });
  await assert.rejects(memory.facts.add("Iris dives"), client.StorageError);
  await meddle("iris", { keep: { failing: null } });
  await memory.facts.add("Iris climbs");
  await meddle("iris", { abort: true });
  assert.deepEqual((await memory.facts.list()).map(({ text }) => text).sort(), ["Iris climbs", "Iris sails"]);
});

test("an object that is reset in the middle of a call says that nobody knows, and goes on", async () => {
  const memory = memoryOf("jack-slow");
  await memory.facts.add("Jack sails");
  const calls = Array.from({ length: 20 }, (_, place) => memory.facts.add(`Fact number ${place}`).then(() => place, (error) => error));
  await meddle("jack-slow", { abort: true });
  const results = await Promise.all(calls);
  const failed = results.filter((result) => typeof result !== "number");
  for (const error of failed) assert.ok(error instanceof client.UnreachableError, String(error));
  const facts = new Set((await memory.facts.list({ limit: 100 })).map(({ text }) => text));
  for (const place of results.filter((result) => typeof result === "number")) assert.ok(facts.has(`Fact number ${place}`), `${place}`);
});

test("all that was confirmed is there after the runtime was restarted in the middle", async () => {
  const users = Array.from({ length: 10 }, (_, place) => `restarted-${place}`);
  const confirmed = new Map(users.map((user) => [user, []]));
  let stopped = false;
  const work = users.map(async (user) => {
    for (let place = 0; !stopped; place += 1) {
      const text = `Fact ${place} of ${user}`;
      await memoryOf(user).facts.add(text).then(() => confirmed.get(user).push(text), () => (stopped = true));
    }
  });
  while ([...confirmed.values()].some((texts) => texts.length < 3)) await memoryOf("alice").usage();
  await restart();
  stopped = true;
  await Promise.all(work);
  for (const user of users) {
    const facts = (await memoryOf(user).facts.list({ limit: 1000 })).map(({ text }) => text);
    assert.ok(facts.every((text) => text.endsWith(user)));
    for (const text of confirmed.get(user)) assert.ok(facts.includes(text), text);
  }
});

test("a user's memory can be taken out, taken in elsewhere, and deleted with everything", async () => {
  const memory = memoryOf("kate");
  await memory.remember({ role: "user", content: "I live in Porto." }, { threadId: "t" });
  await memory.flush();
  const file = new Uint8Array(await new Response(await memory.export()).arrayBuffer());
  assert.equal(await byRpc("kate", "export") > 100, true);
  const other = memoryOf("kate elsewhere");
  const { format, done } = await other.import(file);
  assert.deepEqual([format, done > 0], ["mnemic", true]);
  assert.deepEqual((await other.facts.list()).map(({ text }) => text), ["The user lives in Porto."]);
  const imported = await other.import([{ id: "m1", memory: "Kate plays the cello" }]);
  assert.equal(imported.format, "mem0");
  await memory.deleteUser();
  assert.deepEqual(await meddle("kate", { ask: "tables" }), []);
  assert.equal(await meddle("kate", { ask: "alarm" }), null);
  assert.deepEqual(await memory.facts.list(), []);
  assert.equal((await other.facts.list()).length, 2);
  await byRpc("kate elsewhere", "deleteUser");
  assert.deepEqual(await other.facts.list(), []);
});

test("a broken backup is refused, and changes nothing", async () => {
  const memory = memoryOf("lena");
  await assert.rejects(memory.import(new TextEncoder().encode("mnemic\r\nbut no backup")), ({ code }) => ["Corrupt", "InvalidInput", "UnsupportedVersion"].includes(code));
  assert.deepEqual(await memory.facts.list(), []);
});

test("what is below the memories' path and who answers there is told apart from a Worker that is not there", async () => {
  const away = client.memoryClient({ url: "http://worker/else", token: tokenOf("alice"), fetch: async () => new Response("<html>", { status: 502 }) });
  await assert.rejects(away.facts.list(), client.UnreachableError);
  const down = client.memoryClient({ url, fetch: () => Promise.reject(new TypeError("fetch failed")) });
  await assert.rejects(down.facts.list(), client.UnreachableError);
  // A proxy's JSON counted as an answer: `{"error":"Not found"}` became an error without code and message, `{"ok":true}` a result.
  for (const status of [200, 404]) {
    for (const other of [{ error: "Not found" }, { error: { message: "Not found" } }, { error: null }, { ok: true }, [], "ok", null]) {
      const proxied = client.memoryClient({ url, fetch: async () => Response.json(other, { status }) });
      const what = `${status} ${JSON.stringify(other)}`;
      await assert.rejects(proxied.facts.list(), client.UnreachableError, what);
      await assert.rejects(proxied.import(new Uint8Array(1)), client.UnreachableError, what);
      await assert.rejects(proxied.deleteUser(), client.UnreachableError, what);
    }
  }
  assert.throws(() => client.memoryClient({ url: "no address" }), client.InvalidInputError);
});

const [USERS, OPERATIONS] = [24, 12];

test(`${USERS} users at once with ${OPERATIONS} calls each see their own memory and nothing else`, async () => {
  const users = Array.from({ length: USERS }, (_, place) => `user ${place}-busy`);
  await Promise.all(users.map(async (user, place) => {
    const memory = memoryOf(user);
    for (let call = 0; call < OPERATIONS; call += 1) {
      if (call % 3 === 0) await memory.remember({ role: "user", content: `My number is ${place} in round ${call}.` });
      else if (call % 3 === 1) await memory.facts.add(`Fact ${call} of ${user}.`);
      else {
        const { items } = await memory.recall(`number fact ${call - 1}`);
        assert.ok(items.length > 0);
        for (const { text } of items) assert.match(text, new RegExp(`of ${user}\\.|number is ${place} in`));
      }
    }
  }));
  for (const [place, user] of users.entries()) {
    const texts = (await memoryOf(user).facts.list({ limit: 1000 })).map(({ text }) => text);
    assert.equal(texts.filter((text) => text.endsWith(`of ${user}.`)).length, OPERATIONS / 3, `${place}`);
  }
});
