/** Encrypted memories in Node: passphrases, keys of the app, what is stored, and changing it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { mapStorage } from "../../scripts/map-storage.mjs";
import { mnemic, project } from "./support/installed.mjs";

const WORDS = ["Lisbon", "cello", "alice", "userId", "remember"];
const passphrase = "four words nobody guesses";

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
  const plain = mapStorage();
  await open(plain).then(async (memory) => (await fill(memory), memory.close()));
  assert.ok(told(plain).length >= 4, "the scan finds what is plain");

  const storage = mapStorage();
  const memory = await open(storage, { passphrase });
  await fill(memory);
  assert.deepEqual(await memory.encryption.status(), { encrypted: true, by: "passphrase", scopes: 1 });
  await memory.close();
  assert.deepEqual(told(storage), []);
  assert.deepEqual(await recalled(storage, { passphrase }), [true, true, true]);
  // The same words, typed with other code points.
  const spelled = mapStorage();
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

test("a stored description of a key that was altered is told as damage, and makes nobody wait", async () => {
  const { keyFinder } = await import(pathToFileURL(project.path("node_modules/mnemic/encryption.js")).href);
  const find = keyFinder({ passphrase }, "encryption");
  const [, description] = await find(undefined);
  const stored = JSON.parse(description);
  await find(description);
  const altered = ["{", "null", "[]", "{}", ...[1, 2_000_001, 1e9, 600_000.5, "600000"].map((iterations) => JSON.stringify({ ...stored, iterations }))];
  for (const text of [...altered, JSON.stringify({ ...stored, salt: "*" }), JSON.stringify({ ...stored, salt: undefined })]) {
    await assert.rejects(find(text), { code: "Corrupt" }, text);
  }
});

test("a memory is encrypted in place, its key changes, and the encryption goes", async () => {
  const storage = mapStorage();
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
  const storage = mapStorage();
  const [one, two] = [await open(storage), await open(storage)];
  await fill(one);
  await one.encryption.change({ passphrase });
  await assert.rejects(two.scope({ userId: "alice" }).facts.add("Alice sings"), mnemic.LockedError);
  assert.deepEqual(told(storage), []);
  await Promise.all([one.close(), two.close()]);
});

test("a key that cannot be used is refused before anything is stored", async () => {
  const storage = mapStorage();
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
  const storage = mapStorage();
  await open(storage, { passphrase }).then(async (memory) => (await fill(memory), memory.close()));
  const [first, second] = [...storage.pairs.keys()].filter((key) => key.startsWith("log/"));
  storage.pairs.set(first, storage.pairs.get(second));
  const memory = await open(storage, { passphrase });
  const { ok, damage } = await memory.verify();
  assert.equal(ok, false);
  assert.match(damage.map(({ message }) => message).join(), /was moved here from "log\//);
  await memory.close();
});

test("a scope is locked by itself: nothing of it is told, and the others go on", async () => {
  const storage = mapStorage();
  const key = await aesKey(new Uint8Array(32).fill(3));
  const memory = await open(storage, { key });
  const events = [];
  for (const name of ["change", "error", "extraction"]) memory.on(name, (event) => events.push(JSON.stringify(event)));
  const locks = [];
  memory.on("lock", (event) => locks.push(event));
  await fill(memory);
  const [alice, bob] = ["alice", "bob"].map((userId) => memory.scope({ userId }));
  await bob.facts.add("Bob sings");
  assert.deepEqual(await alice.encryption.status(), { locked: false });
  await alice.encryption.change({ passphrase });
  assert.deepEqual(await alice.encryption.status(), { by: "passphrase", locked: false });
  const before = (await alice.facts.list()).map(({ text }) => text);
  assert.ok(before.includes("Alice lives in Lisbon"));
  events.length = 0;
  await alice.encryption.lock();
  assert.deepEqual(locks, [{ scope: { userId: "alice" }, locked: true }]);
  const locked = (error) => {
    assert.ok(error instanceof mnemic.LockedError, String(error));
    assert.match(error.message, /encryption\.unlock\(\)|unlock or forget/);
    assert.deepEqual(error.details.scope ?? error.details.scopes[0], { userId: "alice" });
    return true;
  };
  const drained = async (stream) => new Response(stream).arrayBuffer();
  const calls = [
    () => alice.recall("Lisbon"),
    () => alice.readOnly().recall("Lisbon"),
    () => alice.facts.add("Alice sings"),
    () => alice.remember({ role: "user", content: "I sing." }),
    () => alice.threads.messages("monday"),
    () => alice.forget({ query: "Lisbon" }),
    () => alice.temporary().recall("Lisbon"),
    () => drained(alice.export()),
    () => drained(memory.export()),
    () => memory.exportFiles().next(),
    () => memory.encryption.remove(),
    () => alice.encryption.change({ key }),
    () => alice.encryption.remove(),
  ];
  for (const call of calls) await assert.rejects(call, locked);
  assert.equal((await bob.recall("Does Bob sing?")).items.length, 1);
  await bob.facts.add("Bob swims");
  assert.ok((await drained(bob.export())).byteLength > 0);
  assert.equal((await memory.verify()).ok, true);
  assert.ok(events.every((event) => !/Lisbon|cello|alice/.test(event)), events.join());
  assert.deepEqual(told(storage), []);
  await memory.close();

  // It is opened as it was closed: locked.
  const again = await open(storage, { key });
  const user = again.scope({ userId: "alice" });
  await assert.rejects(user.facts.list(), locked);
  await assert.rejects(user.encryption.unlock({ passphrase: "a guess" }), mnemic.WrongKeyError);
  await assert.rejects(user.encryption.unlock({ key }), ({ details }) => details.by === "passphrase");
  await user.encryption.unlock({ passphrase });
  assert.deepEqual((await user.facts.list()).map(({ text }) => text), before);
  assert.match((await user.recall("cello")).text, /cello/);
  await user.encryption.change({ key });
  await user.encryption.lock();
  await assert.rejects(user.encryption.unlock({ passphrase }), mnemic.WrongKeyError);
  await user.encryption.unlock({ key });
  await user.encryption.remove();
  assert.deepEqual(await user.encryption.status(), { locked: false });
  assert.equal((await again.verify()).ok, true);
  await again.close();
});

test("a locked scope is forgotten without its key, and a plain memory has no locks", async () => {
  const storage = mapStorage();
  const plain = await open(storage);
  await fill(plain);
  const lonely = plain.scope({ userId: "alice" });
  await assert.rejects(lonely.encryption.change({ passphrase }), mnemic.InvalidInputError);
  await assert.rejects(lonely.encryption.lock(), mnemic.InvalidInputError);
  await plain.close();
  const key = await aesKey(new Uint8Array(32).fill(3));
  const memory = await open(storage, { key });
  const alice = memory.scope({ userId: "alice" });
  await alice.encryption.change({ passphrase });
  await alice.encryption.lock();
  assert.ok((await alice.forget({ scope: true })).commitId);
  assert.deepEqual(await alice.facts.list(), []);
  assert.deepEqual(await alice.encryption.status(), { locked: false });
  assert.equal((await memory.verify()).ok, true);
  await memory.close();
  assert.deepEqual(await recalled(storage, { key }), [true, false, false]);
});

test("locking a scope locks it in other memories on the same storage", async () => {
  const storage = mapStorage();
  const key = await aesKey(new Uint8Array(32).fill(3));
  const [one, two] = [await open(storage, { key }), await open(storage, { key })];
  await fill(one);
  const [mine, theirs] = [one, two].map((memory) => memory.scope({ userId: "alice" }));
  await mine.encryption.change({ passphrase });
  await theirs.facts.add("Alice sings").catch(() => {});
  await theirs.encryption.unlock({ passphrase });
  assert.equal((await theirs.facts.search("Lisbon", { limit: 1 })).length, 1);
  await mine.encryption.lock();
  await assert.rejects(theirs.facts.add("Alice swims"), mnemic.LockedError);
  await assert.rejects(theirs.facts.list(), mnemic.LockedError);
  await Promise.all([one.close(), two.close()]);
});

/** Cloudflare's service refuses more than 100 000 rounds; workerd by itself does not. */
test("a runtime that refuses so many rounds is said to be so", async (context) => {
  const refuse = () => Promise.reject(new DOMException("Pbkdf2 failed: iteration counts above 100000 are not supported", "NotSupportedError"));
  context.mock.method(crypto.subtle, "deriveKey", refuse);
  const storage = mapStorage();
  await assert.rejects(open(storage, { passphrase }), (error) => {
    assert.ok(error instanceof mnemic.InvalidInputError);
    assert.match(error.message, /refuses 600000 rounds.*use \{ key \}/);
    return true;
  });
  assert.equal(storage.pairs.size, 0);
});
