/** React in strict mode, Vue and Svelte in a browser: what they show of a memory stays current, and costs no more than it must. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { chatOfTheGuide, serveFrameworks } from "./support/frameworks.mjs";

let pages, browser;

before(async () => {
  pages = await serveFrameworks();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await pages?.close();
});

/** Tabs of a fresh profile on the page of a framework; answers what `use` does with them, when nobody has complained. */
async function withTabs(name, count, use) {
  const context = await browser.newContext();
  try {
    const tabs = [];
    for (let tab = 0; tab < count; tab += 1) tabs.push(await openPage(context, `${pages.server.url}${name}.html`));
    for (const { page } of tabs) await page.waitForFunction(() => globalThis.app !== undefined);
    await use(...tabs.map(({ page }) => page));
    for (const { complaints } of tabs) assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const mount = (page, options) =>
  page.evaluate((options) => {
    globalThis.options = { ...globalThis.options, ...options };
    app.mount();
  }, options);

/** Waits until an element of the page has a text. */
const shows = (page, id, text) => page.waitForFunction(([id, text]) => document.getElementById(id)?.textContent === text, [id, text]);
const told = (page) => page.evaluate(() => told);
const calls = async (page) => (await told(page)).calls;

const PROFILES = { settings: { type: "object", properties: { city: { type: "string" } } } };
const everything = { memory: "indexeddb ana", facts: "", same: "", thread: "", undo: "nothing", profile: "no city", recall: "pending", entities: "" };

/** Waits until the page shows what a new user has: nothing. */
async function showsNothing(page, but = {}) {
  for (const [id, text] of Object.entries({ ...everything, ...but })) await shows(page, id, text);
}

test("a chat that remembers takes no more than ten lines of React, in every tab and after a reload", async () => {
  const lines = (await chatOfTheGuide()).split("\n").filter((line) => /\w/.test(line));
  assert.ok(lines.length <= 10, `${lines.length} lines`);
  await withTabs("chat", 2, async (page, other) => {
    const say = async (words) => {
      await page.getByLabel("Message").fill(words);
      await page.keyboard.press("Enter");
    };
    const has = (tab, text) => tab.locator("p").filter({ hasText: text }).first().waitFor();
    await say("I live in Lisbon.");
    for (const tab of [page, other]) await has(tab, "assistant: 1: nothing");
    await other.reload();
    await has(other, "user: I live in Lisbon.");
    await page.evaluate(() => learned());
    await say("Where do I live?");
    await has(other, "assistant: 3: lives in Lisbon");
    assert.equal(await page.getByLabel("Message").inputValue(), "");
  });
});

for (const name of ["react", "vue", "svelte"]) {
  describe(name, () => {
    test("opens once, and asks each question once, however many components ask it", async () => {
      await withTabs(name, 1, async (page) => {
        await mount(page, { profiles: PROFILES });
        await showsNothing(page);
        assert.deepEqual(await calls(page), { "facts.list": 1, "threads.messages": 1, "commits.list": 1, "profiles.get": 1 });
        await page.evaluate(() => user.facts.add("Ana sails"));
        await shows(page, "facts", "Ana sails");
        await shows(page, "same", "Ana sails");
        await shows(page, "undo", "You added a fact");
        await page.evaluate(() => user.profiles.set("settings", "city", "Lisbon"));
        await shows(page, "profile", "Lisbon");
        await page.evaluate(() => app.change({ query: "Who sails?" }));
        await shows(page, "recall", "yes");
        assert.deepEqual(await calls(page), { "facts.list": 2, "threads.messages": 1, "commits.list": 3, "profiles.get": 2, recall: 1 });
        await page.evaluate(() => {
          globalThis.recalls = [];
          const element = document.getElementById("recall");
          new MutationObserver(() => recalls.push(element.textContent)).observe(element, { subtree: true, childList: true, characterData: true });
          app.change({ query: "How tall is the Eiffel Tower?" });
        });
        await shows(page, "recall", "no");
        const recalls = await page.evaluate(() => globalThis.recalls);
        assert.ok(!recalls.includes("pending") && recalls.at(-1) === "no", recalls.join());
        await page.evaluate(() => app.change({ query: "" }));
        await shows(page, "recall", "pending");
        await page.evaluate(() => user.graph.create_entities({ entities: [{ name: "Lisbon", entityType: "city", observations: [] }] }));
        await shows(page, "entities", "Lisbon");
        assert.deepEqual([(await told(page)).opened, (await told(page)).closed], [1, 0]);
        await page.evaluate(() => app.unmount());
        await page.waitForFunction(() => told.closed === 1);
      });
    });

    test("shows what other tabs do, and undoes it", async () => {
      await withTabs(name, 3, async (...tabs) => {
        for (const page of tabs) await mount(page);
        for (const page of tabs) await showsNothing(page, { profile: "no city" });
        await tabs[0].evaluate(() => user.facts.add("Ana sails"));
        for (const page of tabs) await shows(page, "facts", "Ana sails");
        await tabs[1].evaluate(() => (thread.remember ?? thread.value.remember)({ role: "user", content: "Hello!" }));
        for (const page of tabs) await shows(page, "thread", "Hello!");
        for (const page of tabs) await shows(page, "undo", "You added a fact");
        await tabs[2].evaluate(() => undo());
        for (const page of tabs) await shows(page, "facts", "");
      });
    });

    test("threads have pages, and what cannot be stored is not shown", async () => {
      await withTabs(name, 1, async (page) => {
        await mount(page);
        await showsNothing(page);
        for (const word of ["one", "two", "three", "four", "five"]) await page.evaluate((content) => thread.append({ role: "user", content }), word);
        await shows(page, "thread", "three | four | five earlier");
        await page.evaluate(() => thread.showEarlier());
        await shows(page, "thread", "one | two | three | four | five");
        const code = await page.evaluate(() => thread.append({ role: "nobody", content: "six" }).catch(({ code }) => code));
        assert.equal(code, "InvalidInput");
        await shows(page, "thread", "one | two | three | four | five");
      });
    });

    test("with another user nothing of the one before is shown, and nobody has nothing", async () => {
      await withTabs(name, 1, async (page) => {
        await mount(page);
        await showsNothing(page);
        await page.evaluate(() => user.facts.add("Ana sails"));
        await shows(page, "facts", "Ana sails");
        for (const [user, memory, facts] of [[{ userId: "ben" }, "indexeddb ben", ""], [null, "indexeddb nobody", "pending"], [{ userId: "ana" }, "indexeddb ana", "Ana sails"], [{ userId: "" }, "InvalidScopeError", "InvalidScopeError"]]) {
          await page.evaluate((user) => app.change({ user }), user);
          await shows(page, "memory", memory);
          await shows(page, "facts", facts);
        }
        const { shown, opened } = await told(page);
        assert.equal(opened, 1);
        assert.ok(shown.some(([of]) => of === "ben"));
        for (const [of, ...texts] of shown) if (of !== "ana") assert.deepEqual(texts, [], `shown of ${of}`);
      });
    });

    test("a memory that is locked says so, and one that is locked later shows nothing from then on", async () => {
      await withTabs(name, 1, async (page) => {
        await mount(page, { encryption: { passphrase: "four words nobody guesses" } });
        await showsNothing(page);
        await page.evaluate(async () => {
          await user.facts.add("Ana sails");
          await user.encryption.change({ passphrase: "four other words for Ana" });
        });
        await shows(page, "facts", "Ana sails");
        await page.evaluate(() => user.encryption.lock());
        for (const id of ["facts", "same", "thread", "undo", "profile"]) await shows(page, id, "LockedError");
        await page.evaluate(() => user.encryption.unlock({ passphrase: "four other words for Ana" }));
        await shows(page, "facts", "Ana sails");
        await page.reload();
        await page.waitForFunction(() => globalThis.app !== undefined);
        await mount(page);
        for (const id of ["memory", "facts", "thread", "undo", "profile"]) await shows(page, id, "LockedError");
      });
    });

    test("gone while it opens, and in the middle of answers, it is closed and nobody complains", async () => {
      await withTabs(name, 1, async (page) => {
        await page.evaluate(() => {
          globalThis.gate = new Promise((resolve) => (globalThis.letGo = resolve));
        });
        await mount(page);
        await shows(page, "facts", "pending");
        await page.evaluate(() => (app.unmount(), letGo()));
        await page.waitForFunction(() => told.opened === 1 && told.closed === 1);
      });
    });

    test("takes over what a server has written, without a word, and then shows what there is", async () => {
      await withTabs(`hydrated-${name}`, 1, async (page) => {
        assert.equal(await page.evaluate(() => document.getElementById("facts").textContent), "pending");
        await page.evaluate(() => (globalThis.written = document.getElementById("facts")));
        await mount(page);
        await showsNothing(page);
        assert.equal(await page.evaluate(() => written === document.getElementById("facts")), true, "it is the server's element");
        assert.deepEqual([(await told(page)).opened, (await calls(page))["facts.list"]], [1, 1]);
      });
    });

    test("a memory in a worker does the same", async () => {
      await withTabs(name, 2, async (one, two) => {
        for (const page of [one, two]) await mount(page, { worker: true });
        for (const page of [one, two]) await page.waitForFunction(() => document.getElementById("facts")?.textContent === "");
        await one.evaluate(() => user.facts.add("Ana sails"));
        for (const page of [one, two]) await shows(page, "facts", "Ana sails");
        assert.equal((await calls(one))["facts.list"], 2);
        await one.evaluate(() => app.unmount());
        await one.waitForFunction(() => told.closed === 1);
      });
    });
  });
}

describe("React", () => {
  test("what is unmounted is closed, and opened anew when it is shown again", async () => {
    await withTabs("react", 1, async (page) => {
      await mount(page);
      await showsNothing(page);
      await page.evaluate(() => app.change({ isShown: false }));
      await page.waitForFunction(() => told.closed === 1);
      await page.evaluate(() => app.change({ isShown: true }));
      await showsNothing(page);
      await page.evaluate(() => user.facts.add("Ana sails"));
      await shows(page, "facts", "Ana sails");
      assert.deepEqual([(await told(page)).opened, (await told(page)).closed], [2, 1]);
    });
  });
});
