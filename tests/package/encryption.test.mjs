/** Encrypted memories in Node: passphrases, keys of the app, what is stored, and changing it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

const WORDS = ["Lisbon", "cello", "alice", "userId", "remember"];
const passphrase = "four words nobody guesses";

let project, mnemic;

before(async () => {
  project = await createProject();
  mnemic = await project.import('export * from "mnemic";');
});

after(() => project?.remove());

/** A storage in a Map. */
function inMap(pairs = new Map()) {
  const head = () => {
    const bytes = pairs.get("head");
    return bytes ? Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true)) : 0;
  };
  return {
    pairs,
    async read(start, end) {
      return [...pairs].filter(([key]) => start <= key && key < end).sort(([a], [b]) => (a < b ? -1 : 1));
    },
    async write({ puts, deletes }, expectedHead) {
      if (head() !== expectedHead) throw Object.assign(new Error("the head has moved"), { code: "Conflict" });
      for (const key of deletes) pairs.delete(key);
      for (const [key, value] of puts) pairs.set(key, value.slice());
    },
  };
}

/** The words that stand in what is stored. */
function told({ pairs }) {
  const bytes = Buffer.concat([...pairs].flatMap(([key, value]) => [Buffer.from(key), value]));
  return WORDS.filter((word) => bytes.includes(word));
}

const open = (storage, encryption) => mnemic.openMemory({ name: "secret", storage, ...(encryption && { encryption }) });

async function fill(memory) {
  const user = memory.scope({ userId: "alice" });
  await user.facts.add("Alice lives in Lisbon");
  await user.remember({ role: "user", content: "I play the cello." }, { threadId: "monday" });
  await memory.idle();
}

async function recalled(storage, encryption) {
  const memory = await open(storage, encryption);
  try {
    const { text } = await memory.scope({ userId: "alice" }).recall("Lisbon cello");
    const { ok } = await memory.verify();
    return [ok, /Lisbon/.test(text), /cello/.test(text)];
  } finally {
    await memory.close();
  }
}

const aesKey = (bytes, usages = ["encrypt", "decrypt"]) => crypto.subtle.importKey("raw", bytes, "AES-GCM", false, usages);

test("what is stored tells no word and no scope, and only the passphrase opens it", async () => {
  const plain = inMap();
  await open(plain).then(async (memory) => (await fill(memory), memory.close()));
  assert.ok(told(plain).length >= 4, "the scan finds what is plain");

  const storage = inMap();
  const memory = await open(storage, { passphrase });
  await fill(memory);
  assert.deepEqual(await memory.encryption.status(), { encrypted: true, by: "passphrase", scopes: 1 });
  await memory.close();
  assert.deepEqual(told(storage), []);
  assert.deepEqual(await recalled(storage, { passphrase }), [true, true, true]);
  // The same words, typed with other code points.
  const spelled = inMap();
  await open(spelled, { passphrase: "caf\u00e9" }).then((memory) => memory.close());
  await open(spelled, { passphrase: "cafe\u0301" }).then((memory) => memory.close());

  const before = new Map(storage.pairs);
  await assert.rejects(open(storage), (error) => {
    assert.ok(error instanceof mnemic.LockedError);
    assert.equal(error.details.by, "passphrase", "an app can ask for the right thing");
    return true;
  });
  await assert.rejects(open(storage, { passphrase: "five words nobody guesses" }), mnemic.WrongKeyError);
  await assert.rejects(open(storage, { key: await aesKey(new Uint8Array(32)) }), (error) => {
    assert.ok(error instanceof mnemic.WrongKeyError);
    assert.equal(error.details.by, "passphrase");
    return true;
  });
  assert.deepEqual(storage.pairs, before, "nothing was changed");
});

test("a memory is encrypted in place, its key changes, and the encryption goes", async () => {
  const storage = inMap();
  await open(storage).then(async (memory) => (await fill(memory), memory.close()));
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const key = await aesKey(bytes);
  assert.deepEqual(await recalled(storage, { key }), [true, true, true]);
  assert.deepEqual(told(storage), []);
  assert.ok(!Buffer.concat([...storage.pairs.values()]).includes(Buffer.from(bytes)), "the key is not stored");

  const memory = await open(storage, { key });
  await memory.encryption.change({ passphrase });
  assert.equal((await memory.encryption.status()).by, "passphrase");
  await memory.close();
  await assert.rejects(open(storage, { key }), mnemic.WrongKeyError);
  assert.deepEqual(await recalled(storage, { passphrase }), [true, true, true]);

  const last = await open(storage, { passphrase });
  await last.encryption.remove();
  assert.deepEqual(await last.encryption.status(), { encrypted: false, scopes: 0 });
  await last.encryption.change({ key });
  await last.encryption.remove();
  await last.close();
  assert.ok(told(storage).length >= 4);
  assert.deepEqual(await recalled(storage), [true, true, true]);
});

test("another memory that is open meanwhile writes nothing plain", async () => {
  const storage = inMap();
  const [one, two] = [await open(storage), await open(storage)];
  await fill(one);
  await one.encryption.change({ passphrase });
  await assert.rejects(two.scope({ userId: "alice" }).facts.add("Alice sings"), mnemic.LockedError);
  assert.deepEqual(told(storage), []);
  await Promise.all([one.close(), two.close()]);
});

test("a key that cannot be used is refused before anything is stored", async () => {
  const storage = inMap();
  const wrong = [
    "words",
    {},
    { passphrase: "" },
    { passphrase, key: 1 },
    { word: "x" },
    { key: "x" },
    { key: await aesKey(new Uint8Array(32), ["encrypt"]) },
    { passkey: "yes" },
  ];
  for (const encryption of wrong) await assert.rejects(open(storage, encryption), mnemic.InvalidInputError);
  await assert.rejects(open(storage, { passkey: true }), (error) => {
    assert.ok(error instanceof mnemic.InvalidInputError);
    assert.match(error.message, /no WebAuthn here.*use a passphrase/);
    return true;
  });
  assert.equal(storage.pairs.size, 0);
  const memory = await open(storage);
  await fill(memory);
  await assert.rejects(memory.encryption.change({ passkey: true }), mnemic.InvalidInputError);
  assert.equal((await memory.encryption.status()).encrypted, false);
  await memory.close();
});

test("an altered value is damage that has a name", async () => {
  const storage = inMap();
  await open(storage, { passphrase }).then(async (memory) => (await fill(memory), memory.close()));
  const [first, second] = [...storage.pairs.keys()].filter((key) => key.startsWith("log/"));
  storage.pairs.set(first, storage.pairs.get(second));
  const memory = await open(storage, { passphrase });
  const { ok, damage } = await memory.verify();
  assert.equal(ok, false);
  assert.match(damage.map(({ message }) => message).join(), /was moved here from "log\//);
  await memory.close();
});
