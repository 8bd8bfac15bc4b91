/** Encrypted memories in a browser: passkeys, and what reaches the disk. */
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { PAGE, ready } from "./support/page.mjs";
import { serveProject } from "./support/served.mjs";

let browser, server, close;

before(async () => {
  ({ browser, server, close } = await serveProject(PAGE));
});

after(() => close?.());

/** An authenticator in the page's browser, such as a laptop has one. */
async function authenticator(page, hasPrf) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { verify: (isUserVerified) => session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }) };
}

async function onPage(work) {
  const context = await browser.newContext();
  try {
    const { page, complaints } = await openPage(context, server.url);
    await ready(page);
    await work(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** Opens the memory, adds a fact, and answers what is there, or the error's name. */
const visit = async ([encryption, text]) => {
  try {
    const memory = await mnemic.openMemory({ name: "secret", ...(encryption && { encryption }) });
    const user = memory.scope({ userId: "alice" });
    if (text !== undefined) await user.facts.add(text);
    const texts = (await user.facts.list()).map(({ text }) => text).sort();
    const { by } = await memory.encryption.status();
    await memory.close();
    return { ...(by && { by }), texts };
  } catch (error) {
    return { error: error.name, message: error.message };
  }
};

test("a passkey opens the memory that was encrypted with it", async () => {
  await onPage(async (page) => {
    const { verify } = await authenticator(page, true);
    const passkey = { passkey: true };
    assert.deepEqual(await page.evaluate(visit, [undefined, "Alice sings"]), { texts: ["Alice sings"] });
    assert.deepEqual(await page.evaluate(visit, [passkey, "Alice swims"]), { by: "passkey", texts: ["Alice sings", "Alice swims"] });
    await page.reload();
    await ready(page);
    assert.deepEqual((await page.evaluate(visit, [passkey])).texts, ["Alice sings", "Alice swims"]);
    assert.equal((await page.evaluate(visit, [undefined])).error, "LockedError");
    assert.equal((await page.evaluate(visit, [{ passphrase: "some words" }])).error, "WrongKeyError");
    await verify(false);
    const refused = await page.evaluate(visit, [passkey]);
    assert.equal(refused.error, "LockedError");
    assert.match(refused.message, /the passkey was not given/);
  });
});

test("a passphrase gives way to a passkey, and another passkey opens nothing", async () => {
  await onPage(async (page) => {
    await authenticator(page, true);
    await page.evaluate(visit, [{ passphrase: "some words" }, "Alice sings"]);
    await page.evaluate(async () => {
      const memory = await mnemic.openMemory({ name: "secret", encryption: { passphrase: "some words" } });
      await memory.encryption.change({ passkey: { userName: "Alice" } });
      await memory.close();
    });
    assert.equal((await page.evaluate(visit, [{ passphrase: "some words" }])).error, "WrongKeyError");
    assert.deepEqual(await page.evaluate(visit, [{ passkey: true }]), { by: "passkey", texts: ["Alice sings"] });
  });
});

test("an authenticator that cannot derive keys is said to be so, and nothing is changed", async () => {
  await onPage(async (page) => {
    await authenticator(page, false);
    await page.evaluate(visit, [undefined, "Alice sings"]);
    const { error, message } = await page.evaluate(visit, [{ passkey: true }]);
    assert.equal(error, "InvalidInputError");
    assert.match(message, /no PRF extension here.*use a passphrase/);
    assert.deepEqual(await page.evaluate(visit, [undefined]), { texts: ["Alice sings"] });
  });
});

/** Opens two tabs of one browser, in each a memory by `open`. */
async function onTabs(open, work) {
  const context = await browser.newContext();
  try {
    const tabs = [];
    for (const _ of [1, 2]) {
      const { page } = await openPage(context, server.url);
      await ready(page);
      await page.evaluate(open);
      tabs.push(page);
    }
    await work(...tabs);
  } finally {
    await context.close();
  }
}

test("a tab that is open without the key stops when another encrypts", async () => {
  const open = async () => {
    globalThis.memory = await mnemic.openMemory({ name: "secret" });
    globalThis.errors = [];
    memory.on("error", ({ code }) => errors.push(code));
    await memory.scope({ userId: "alice" }).facts.add("Alice sings");
  };
  await onTabs(open, async (one, two) => {
    await one.evaluate(() => memory.encryption.change({ passphrase: "some words" }));
    await two.waitForFunction(() => errors.includes("Locked"));
    const refused = await two.evaluate(() =>
      memory.scope({ userId: "alice" }).facts.add("Alice swims").catch(({ name }) => name),
    );
    assert.equal(refused, "LockedError");
  });
});

test("a scope that is locked in one tab is locked in the other, after a reload, and in what is stored", async () => {
  const open = async () => {
    globalThis.memory = await mnemic.openMemory({ name: "shared", encryption: { passphrase: "some words" } });
    globalThis.user = memory.scope({ userId: "alice" });
    globalThis.locks = [];
    memory.on("lock", ({ locked }) => locks.push(locked));
  };
  await onTabs(open, async (one, two) => {
    const facts = () => user.facts.list().then((found) => found.map(({ text }) => text), ({ name }) => name);
    const unlock = (passphrase) => user.encryption.unlock({ passphrase }).then(() => "open", ({ name }) => name);
    await one.evaluate(async () => {
      await user.facts.add("Alice sings of quokkas");
      await memory.scope({ userId: "bob" }).facts.add("Bob swims");
      await user.encryption.change({ passphrase: "other words" });
    });
    await two.waitForFunction(() => locks.length === 1);
    assert.equal(await two.evaluate(facts), "LockedError");
    assert.equal(await two.evaluate(unlock, "a guess"), "WrongKeyError");
    assert.equal(await two.evaluate(unlock, "other words"), "open");
    assert.deepEqual(await two.evaluate(facts), ["Alice sings of quokkas"]);
    await one.evaluate(() => user.encryption.lock());
    await two.waitForFunction(() => locks.length === 3);
    for (const tab of [one, two]) assert.equal(await tab.evaluate(facts), "LockedError");
    await two.evaluate(() => memory.scope({ userId: "bob" }).facts.add("Bob dives"));
    // What IndexedDB holds tells nothing, and what the memory's key opens of it tells nothing of her.
    const held = await two.evaluate(async () => {
      const database = await new Promise((resolve) => (indexedDB.open("mnemic:shared").onsuccess = ({ target }) => resolve(target.result)));
      const bytes = [];
      for (const name of database.objectStoreNames) {
        const all = database.transaction(name).objectStore(name).getAll();
        await new Promise((resolve) => (all.onsuccess = resolve));
        for (const value of all.result) bytes.push(new TextDecoder("latin1").decode(value instanceof Blob ? await value.arrayBuffer() : value));
      }
      database.close();
      return { values: bytes.length, told: bytes.some((text) => /quokka|alice|Bob/.test(text)) };
    });
    assert.ok(held.values > 2 && !held.told, JSON.stringify(held));
    await one.reload();
    await ready(one);
    const reopened = await one.evaluate(async () => {
      const memory = await mnemic.openMemory({ name: "shared", encryption: { passphrase: "some words" } });
      const user = memory.scope({ userId: "alice" });
      const refused = await user.recall("quokkas").catch(({ name }) => name);
      await user.encryption.unlock({ passphrase: "other words" });
      const { text } = await user.recall("quokkas");
      const { ok } = await memory.verify();
      await memory.close();
      return { refused, found: text.includes("quokkas"), ok };
    });
    assert.deepEqual(reopened, { refused: "LockedError", found: true, ok: true });
  });
});

test("a passkey unlocks a scope", async () => {
  await onPage(async (page) => {
    const { verify } = await authenticator(page, true);
    const work = () =>
      page.evaluate(async () => {
        const memory = await mnemic.openMemory({ name: "keyed", encryption: { passphrase: "some words" } });
        const user = memory.scope({ userId: "alice" });
        try {
          if ((await user.encryption.status()).by === undefined) {
            await user.facts.add("Alice sings");
            await user.encryption.change({ passkey: true });
            await user.encryption.lock();
          }
          await user.encryption.unlock({ passkey: true });
          return (await user.facts.list()).map(({ text }) => text);
        } catch ({ name }) {
          return name;
        } finally {
          await memory.close();
        }
      });
    assert.deepEqual(await work(), ["Alice sings"]);
    assert.deepEqual(await work(), ["Alice sings"]);
    await verify(false);
    assert.equal(await work(), "LockedError");
  });
});

/** The words of which the files of a profile have one, in UTF-8 or UTF-16. */
async function onDisk(folder, words) {
  const found = new Set();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    for (const word of words) if (bytes.includes(word) || bytes.includes(Buffer.from(word, "utf16le"))) found.add(word);
  }
  return [...found].sort();
}

const WORDS = ["quokkafold", "zephyrlane", "mnemoalice", "umbraword", "wombatkey"];
const PASSPHRASE = "velvet anchor pilgrim sonata";
const SECRET = "0123456789abcdef0123456789ABCDEF";

/** Uses a memory as people do, on a profile that stays on the disk, and answers what of it stands there. */
async function profileOf(kinds) {
  const folder = await mkdtemp(join(tmpdir(), "mnemic-profile-"));
  try {
    for (const kind of kinds) {
      const context = await launch(folder);
      const { page } = await openPage(context, server.url);
      await ready(page);
      await page.evaluate(
        async ([kind, words, passphrase, secret]) => {
          const bytes = new TextEncoder().encode(secret);
          const key = kind === "key" && (await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]));
          const encryption = { passphrase: { passphrase }, key: { key } }[kind];
          for (const storage of ["indexeddb", "localstorage"]) {
            const memory = await mnemic.openMemory({ name: `disk-${storage}`, storage, ...(encryption && { encryption }) });
            const user = memory.scope({ [words[4]]: words[2] });
            for (let round = 0; round < 300; round++) {
              await user.facts.add(`The ${words[0]} number ${round} lives in ${words[1]}`);
            }
            await user.remember({ role: "user", content: `I said ${words[3]}.` });
            await memory.idle();
            await user.recall(words[0]);
            await memory.close();
          }
        },
        [kind, WORDS, PASSPHRASE, SECRET],
      );
      await context.close();
    }
    return await onDisk(folder, [...WORDS, PASSPHRASE, SECRET]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test("the browser's files on the disk hold no word, no scope and no key of an encrypted memory", async () => {
  const plain = await profileOf(["none"]);
  assert.ok(plain.includes(WORDS[0]) && plain.includes(WORDS[4]), `the scan finds what is plain: ${plain}`);
  assert.deepEqual(await profileOf(["passphrase", "passphrase"]), []);
  assert.deepEqual(await profileOf(["key"]), []);
});
