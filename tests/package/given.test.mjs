/** What the callbacks of an app give that cannot even be looked at: it fails their call, and nothing of any other memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mnemic } from "./support/installed.mjs";

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const detached = () => {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
};
const shrunk = () => {
  const buffer = new ArrayBuffer(8, { maxByteLength: 16 });
  const bytes = new Uint8Array(buffer, 0, 8);
  buffer.resize(4);
  return bytes;
};
/** What tells other lengths than it has. */
const lying = (length) => Object.defineProperty(new Uint8Array(8), "length", { value: length });
const promiseWith = (name) => Object.defineProperty(Promise.resolve([]), name, { get() { throw new Error(`no ${name}`); } });

const BYTES = {
  "a detached buffer": detached,
  "a buffer that was shrunk": shrunk,
  "a prototype without bytes": () => Object.create(Uint8Array.prototype),
  "a revoked proxy": revoked,
};
const ANSWERS = {
  "a revoked proxy": revoked,
  "a revoked proxy among its items": () => [revoked()],
  "a promise whose then throws": () => promiseWith("then"),
  "a promise whose constructor throws": () => promiseWith("constructor"),
};

/** What an opening on a storage says that answers this to every read. */
const opened = (read) => mnemic.openMemory({ name: "strange", storage: { read, write() {} } }).then((memory) => memory.close(), ({ code }) => code);

/** That another memory of the process goes on. One such value ended the engine, and with it all its memories. */
async function beside(work) {
  const memory = await mnemic.openMemory({ name: "beside", storage: "memory" });
  const user = memory.scope({ userId: "alice" });
  await user.facts.add("Alice sings");
  await work();
  assert.equal((await user.facts.list()).length, 1);
  await memory.close();
}

for (const [name, value] of Object.entries(BYTES)) {
  test(`a storage whose values have ${name}`, () => beside(async () => assert.equal(await opened((start) => [[start, value()]]), "Storage")));
}

for (const [name, value] of Object.entries(ANSWERS)) {
  test(`a storage whose read answers ${name}`, () => beside(async () => assert.equal(await opened(() => value()), "Storage")));
}

test("values that tell another length than they have are read as they are", () =>
  beside(async () => {
    for (const length of [0, 3, 1_000_000]) assert.equal(await opened((start) => (start === "head" ? [["head", lying(length)]] : [])), undefined);
  }));

test("a write that throws a revoked proxy", () =>
  beside(async () => {
    const storage = { read: () => [], write() { throw revoked(); } };
    const memory = await mnemic.openMemory({ name: "strange", storage });
    await assert.rejects(memory.scope({ userId: "bob" }).facts.add("Bob paints"), { code: "Storage" });
    await memory.close();
  }));

test("models that throw or answer a revoked proxy", () =>
  beside(async () => {
    const throwing = () => { throw revoked(); };
    for (const [name, answer] of Object.entries({ ...ANSWERS, "a throw": throwing })) {
      const embed = { id: "strange", embed: answer };
      const memory = await mnemic.openMemory({ name: "strange", storage: "memory", llm: answer, embed, countTokens: name === "a throw" ? throwing : revoked });
      const user = memory.scope({ userId: "bob" });
      await user.remember({ role: "user", content: "I paint." });
      const failed = (await memory.idle()).failed.map(({ error }) => error.code);
      const flushed = await user.flush().then(() => "learned", ({ code }) => code);
      assert.match(`${failed} ${flushed}`, /Model/, name);
      assert.equal(await user.facts.search("paint").then(() => "found", ({ code }) => code), "found");
      await user.recall("paint");
      await memory.close();
    }
  }));

test("vectors whose buffer is gone", () =>
  beside(async () => {
    const gone = () => {
      const vector = new Float32Array(4).fill(1);
      structuredClone(vector.buffer, { transfer: [vector.buffer] });
      return vector;
    };
    const memory = await mnemic.openMemory({ name: "strange", storage: "memory", embed: { id: "gone", embed: (texts) => texts.map(gone) } });
    await memory.scope({ userId: "bob" }).facts.add("Bob paints");
    await memory.idle();
    const { kind, failures } = (await memory.jobs()).find(({ kind }) => kind === "embedding");
    assert.deepEqual([kind, failures], ["embedding", 1]);
    await memory.close();
  }));
