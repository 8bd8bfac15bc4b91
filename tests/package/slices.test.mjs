/** Long work in a page without a worker: whatever else the page has to do is done in between. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { PAGE, ready } from "./support/page.mjs";
import { serveProject } from "./support/served.mjs";

/** How many facts are imported in one call, and how many memories of a size are filled with. */
const COUNT = 1000;

/**
 * A page whose memories are stored in a map: its storage never waits for the page's other tasks, so the engine alone decides when these
 * have their turn. `turnsDuring` counts them: messages that the page sends itself, each when the one before has come.
 */
const FILES = {
  ...PAGE,
  "map-storage.mjs": await readFile(new URL("../../scripts/map-storage.mjs", import.meta.url), "utf8"),
  "page.js": `
    import * as mnemic from "./node_modules/mnemic/entry/browser.js";
    import { mapStorage } from "./map-storage.mjs";

    globalThis.storage = mapStorage();
    globalThis.open = () => mnemic.openMemory({ name: "slices", storage, extraction: { auto: false } });
    globalThis.fact = (number) => {
      const words = Array.from({ length: 20 }, (_, word) => "word" + ((number * 31 + word * word * 7) % 2000));
      return { text: "name" + number + " " + words.join(" ") };
    };
    globalThis.facts = (first, count) => Array.from({ length: count }, (_, place) => fact(first + place));
    globalThis.turnsDuring = async (work) => {
      const { port1, port2 } = new MessageChannel();
      let turns = 0;
      port1.onmessage = () => {
        turns += 1;
        port2.postMessage(undefined);
      };
      port2.postMessage(undefined);
      const answer = await work();
      port1.close();
      return { turns, answer };
    };
    globalThis.mnemic = mnemic;
  `,
};

let browser, server, close;

before(async () => {
  ({ browser, server, close } = await serveProject(FILES));
});

after(() => close?.());

async function inPage(work, given) {
  const context = await browser.newContext();
  try {
    const { page, complaints } = await openPage(context, server.url);
    await ready(page);
    const answer = await page.evaluate(work, given);
    assert.deepEqual(complaints, []);
    return answer;
  } finally {
    await context.close();
  }
}

/** A memory of six imports, closed, and how often the page had its turn during each. */
const fill = async (count) => {
  const memory = await open();
  const user = memory.scope({ userId: "alice" });
  // What is loaded later is there before turns are counted.
  await user.facts.import(facts(0, 1));
  await memory.idle();
  const turns = [];
  for (let first = 1; first <= 6 * count; first += count) {
    turns.push((await turnsDuring(() => user.facts.import(facts(first, count)))).turns);
  }
  await memory.close();
  return turns;
};

/** Opens the memory, finds a fact, and answers how often the page had its turn until then. */
const reopen = async (number) => {
  const { turns, answer } = await turnsDuring(async () => {
    const memory = await open();
    const found = await memory.scope({ userId: "alice" }).facts.search(`name${number}`, { limit: 1 });
    return { memory, text: found[0].text };
  });
  const { records } = await answer.memory.usage();
  await answer.memory.close();
  return { turns, records, name: answer.text.split(" ")[0] };
};

test("the page has its turns while a thousand facts are imported", async () => {
  const turns = await inPage(fill, COUNT);
  assert.equal(turns.length, 6);
  assert.ok(turns.every((turns) => turns >= 10), String(turns));
});

test("the page has its turns while a large memory is opened, and a small one is opened at a stretch", async () => {
  const small = await inPage(`(${fill})(1).then(() => (${reopen})(3))`);
  // Those of its first search.
  assert.deepEqual(small, { turns: 3, records: 7, name: "name3" });
  const large = await inPage(`(${fill})(${COUNT}).then(() => (${reopen})(${3 * COUNT}))`);
  assert.deepEqual([large.records, large.name], [6 * COUNT + 1, `name${3 * COUNT}`]);
  assert.ok(large.turns >= 2, String(large.turns));
});

test("the page has its turns while a long talk is learned from by rules", async () => {
  const { turns, answer } = await inPage(async () => {
    const memory = await open();
    const say = (user, count) => user.remember(Array.from({ length: count }, (_, number) => ({ role: "user", content: `I live in Lisbon. ${fact(number).text}` })));
    const [first, user] = ["alice", "bob"].map((userId) => memory.scope({ userId }));
    // What is loaded later is there before turns are counted.
    await say(first, 1);
    await first.flush();
    await memory.idle();
    for (let call = 0; call < 8; call += 1) await say(user, 50);
    const { turns } = await turnsDuring(() => user.flush());
    const answer = (await user.facts.list()).map(({ text }) => text);
    await memory.close();
    return { turns, answer };
  });
  assert.deepEqual(answer, ["The user lives in Lisbon."]);
  assert.ok(turns >= 4, String(turns));
});

/** Three thousand facts, folded, and what is done with all of them: how often the page had its turn. */
const withFacts = async (kind) => {
  const memory = await open();
  const user = memory.scope({ userId: "alice" });
  for (let first = 0; first < 3000; first += 1000) await user.facts.import(facts(first, 1000));
  const works = {
    async forgetting() {
      const [{ id }] = await user.facts.search("name0", { limit: 1 });
      // What is loaded later is there before turns are counted.
      const { id: other } = await memory.scope({ userId: "bob" }).facts.add("Bob sails");
      await memory.scope({ userId: "bob" }).forget({ ids: [other] });
      return () => user.forget({ ids: [id] });
    },
    async restoring() {
      const file = new Uint8Array(await new Response(memory.export()).arrayBuffer());
      await memory.scope({ userId: "bob" }).facts.add("Bob sails");
      await memory.import(await new Response(memory.scope({ userId: "bob" }).export()).blob());
      return () => memory.import(file, { mode: "replace" });
    },
    async encrypting() {
      const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]);
      await memory.encryption.change({ key });
      return () => memory.encryption.remove();
    },
    async comparing() {
      await memory.scope({ userId: "bob" }).facts.list({ contested: true });
      return () => user.facts.list({ contested: true });
    },
  };
  const work = await works[kind]();
  await memory.idle();
  const { turns } = await turnsDuring(work);
  const { records } = await memory.usage();
  await memory.close();
  return { turns, records };
};

for (const [kind, left, least] of [["forgetting", 2999, 2], ["restoring", 3000, 10], ["encrypting", 3000, 2], ["comparing", 3000, 1]]) {
  test(`the page has its turns while all that is stored is read or written anew: ${kind}`, async () => {
    const { turns, records } = await inPage(`(${withFacts})("${kind}")`);
    assert.equal(records, left);
    assert.ok(turns >= least, String(turns));
  });
}
