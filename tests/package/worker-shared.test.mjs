/** Several tabs that share one engine in a shared worker, and what becomes of the others when one goes away. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { ready } from "./support/page.mjs";
import { openPage, waitUntil } from "./support/browser.mjs";
import { serveProject } from "./support/served.mjs";
import { serve } from "./support/server.mjs";
import { FILES } from "./support/workers.mjs";

let browser, project, server, close, context, tabs;

before(async () => {
  ({ browser, project, server, close } = await serveProject(FILES));
});

after(() => close?.());

beforeEach(async () => {
  context = await browser.newContext();
  tabs = [];
});

afterEach(() => context.close());

/** A tab with a memory in the shared worker; `given` are further options, as the text of a function that answers them. */
async function tab(name, given = () => ({}), url = server.url) {
  const opened = await openPage(context, url);
  await ready(opened.page);
  await opened.page.evaluate(
    async ([name, given]) => {
      globalThis.asked = [];
      globalThis.events = [];
      globalThis.memory = await mnemic.openMemory({ name, worker: "shared", ...new Function(`return (${given})()`)() });
      globalThis.user = memory.scope({ userId: "alice" });
      for (const type of ["change", "restart", "error"]) memory.on(type, (event) => events.push({ type, ...event }));
    },
    [name, String(given)],
  );
  tabs.push(opened);
  return opened.page;
}

const noComplaints = () => assert.deepEqual(tabs.flatMap(({ complaints }) => complaints), []);
const texts = (page) => page.evaluate(async () => (await user.facts.list({ limit: 1000 })).map(({ text }) => text).sort());

test("what one tab writes the other reads at once, and a commit is the own one of the tab that made it", async () => {
  const [one, two] = [await tab("pair"), await tab("pair")];
  const { commitId } = await one.evaluate(() => user.facts.add("Alice sings"));
  assert.deepEqual(await texts(two), ["Alice sings"]);
  const remote = (page) => page.evaluate((wanted) => events.filter((event) => event.commitId === wanted).map(({ remote }) => remote), commitId);
  await two.waitForFunction((wanted) => events.some((event) => event.commitId === wanted), commitId);
  assert.deepEqual([await remote(one), await remote(two)], [[false], [true]]);
  assert.equal(context.serviceWorkers().length, 0);
  noComplaints();
});

test("all tabs write at once, some close and some crash: nothing confirmed is lost", async () => {
  const pages = [await tab("crowd"), await tab("crowd"), await tab("crowd"), await tab("crowd")];
  const write = ([who, count]) =>
    Promise.all(Array.from({ length: count }, (_, index) => user.facts.add(`Fact ${index} of tab ${who}`).then(() => `Fact ${index} of tab ${who}`)));
  const [a, b, c, d] = pages;
  const confirmed = (await Promise.all([a, b].map((page, who) => page.evaluate(write, [who, 20])))).flat();
  const going = c.evaluate(write, [2, 40]).then(
    (texts) => confirmed.push(...texts),
    () => {},
  );
  await a.evaluate(() => memory.close());
  await c.close();
  await going;
  confirmed.push(...(await d.evaluate(write, [3, 20])));
  const there = new Set(await texts(b));
  assert.deepEqual(confirmed.filter((text) => !there.has(text)), []);
  // The last one closes the engine; what is opened next is a fresh one.
  await b.evaluate(() => memory.close());
  await d.evaluate(() => memory.close());
  const again = new Set(await texts(await tab("crowd")));
  assert.deepEqual(confirmed.filter((text) => !again.has(text)), []);
  noComplaints();
});

/** A model that never answers in a tab that holds. */
const heldModel = () => ({
  llm: ({ purpose }) => {
    globalThis.asked.push(purpose);
    return globalThis.holds
      ? new Promise(() => {})
      : { facts: [{ action: "add", text: "The user lives in Porto.", message: 1, quote: "I live in Porto" }] };
  },
});

test("the model of the tab that is in use is asked; when that tab goes away in the middle, another's is", async () => {
  const [one, two] = [await tab("models", heldModel), await tab("models", heldModel)];
  await two.evaluate(() => (globalThis.holds = true));
  await two.evaluate(() => user.remember({ role: "user", content: "I live in Porto." }));
  await two.evaluate(() => void user.flush().catch(() => {}));
  await two.waitForFunction(() => asked.length === 1);
  assert.equal(await one.evaluate(() => asked.length), 0);
  await two.close();
  await one.waitForFunction(() => asked.length >= 1);
  await one.evaluate(() => memory.idle());
  assert.deepEqual(await texts(one), ["The user lives in Porto."]);
  noComplaints();
});

test("tabs with other options, with a key or with a storage of their own have engines of their own", async () => {
  const plain = await tab("mixed");
  const profiles = await tab("mixed", () => ({ profiles: { person: { type: "object", properties: { age: { type: "integer" } } } } }));
  await profiles.evaluate(() => user.profiles.set("person", "age", 7));
  await plain.evaluate(() => user.facts.add("Alice sings"));
  await waitUntil(profiles, async () => (await user.facts.list()).length === 1);
  assert.equal(await plain.evaluate(() => user.profiles.set("person", "age", 8).catch(({ code }) => code)), "NotFound");
  // What is kept in memory alone ends with its page.
  const own = [await tab("own", () => ({ storage: "memory" })), await tab("own", () => ({ storage: "memory" }))];
  await own[0].evaluate(() => user.facts.add("Alice paints"));
  assert.deepEqual(await texts(own[1]), []);
  noComplaints();
});

test("a tab without the key does not get in by another's engine, nor once a shared one is encrypted", async () => {
  const key = () => ({ encryption: { passphrase: "four words nobody guesses" } });
  const opener = await tab("sealed", key);
  await opener.evaluate(() => user.facts.add("Alice sings"));
  await assert.rejects(tab("sealed"), /Locked/);
  assert.deepEqual(await texts(await tab("sealed", key)), ["Alice sings"]);
  const plain = await tab("later");
  await plain.evaluate(() => memory.encryption.change({ passphrase: "four words nobody guesses" }));
  await assert.rejects(tab("later"), /Locked/);
});

test("a shared worker that is ended is replaced by one that all tabs share again", async () => {
  const pages = [await tab("ended"), await tab("ended")];
  const [one, two] = pages;
  await one.evaluate(() => user.facts.add("Alice sings"));
  await two.evaluate(() => user.facts.list());
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send("Target.getTargets");
  const { targetId } = targetInfos.find(({ type }) => type === "shared_worker");
  await session.send("Target.closeTarget", { targetId });
  for (const page of pages) await page.waitForFunction(() => events.some(({ type }) => type === "restart"));
  await one.evaluate(() => user.facts.add("Alice goes on"));
  assert.deepEqual(await texts(two), ["Alice goes on", "Alice sings"]);
  noComplaints();
});

/** Hundreds of buffers that moved at once to a worker in another process crashed the tab. */
test("large arguments and batches of a storage object cross to a worker in another process", async (t) => {
  const storage = () => {
    const pairs = new Map();
    globalThis.roomy = 0;
    return {
      storage: {
        read: (start, end) => [...pairs].filter(([key]) => start <= key && key < end).sort(([a], [b]) => (a < b ? -1 : 1)),
        write({ puts, deletes }) {
          for (const key of deletes) pairs.delete(key);
          for (const [key, value] of puts) pairs.set(key, value);
          globalThis.roomy += puts.filter(([, value]) => value.buffer.byteLength !== value.length).length;
        },
      },
    };
  };
  // An isolated page has no process in common with the worker.
  const headers = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
  const isolated = await serve(project.folder, { headers });
  t.after(() => isolated.close());
  for (const given of [undefined, storage]) {
    const page = await tab("large", given, isolated.url);
    const stored = await page.evaluate(async () => {
      const operations = Array.from({ length: 200 }, (_, number) => ({ op: "put", namespace: ["large"], key: `${number}`, value: { text: "é".repeat(35_000) }, index: false }));
      const batch = user.documents.batch(operations);
      // What is asked while that crosses stays behind it.
      const { value } = await user.documents.get(["large"], "199");
      const last = await user.documents.put(["large"], "199", { text: "a later one" });
      await batch;
      const { length } = (await user.documents.get(["large"], "7")).value.text;
      // What closes the memory stays behind it, too.
      const again = user.documents.batch(operations);
      const closing = memory.close();
      const put = (await again).length;
      await closing;
      return [value.text === "é".repeat(35_000), last.action, length, put, globalThis.roomy ?? 0];
    });
    assert.deepEqual(stored, [true, "updated", 35_000, 200, 0]);
  }
  noComplaints();
});
