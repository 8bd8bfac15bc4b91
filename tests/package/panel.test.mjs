/** `<mnemic-panel>` on a plain page with a strict policy, as its user sees it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { faultsOf, open, PANEL, startPanels } from "./support/panel.mjs";

const SECTIONS = ["profile", "facts", "graph", "search", "proposals", "instructions", "episodes", "documents", "blocks", "forget", "lock", "backup"];

let panels;
before(async () => { panels = await startPanels(); });
after(() => panels?.close());

const item = (page, text) => page.getByTestId("fact").filter({ hasText: text });

describe("facts", () => {
  test("a fact is added, changed, pinned, explained, brought back, deleted and undone", async () => {
    const { page, leave } = await open(panels);
    await page.getByTestId("tab-facts").click();
    await page.getByTestId("add").first().click();
    await page.getByTestId("value-control").fill("My bicycle is red.");
    await page.keyboard.press("Enter");
    const fact = item(page, "bicycle");
    await fact.getByText("Added by you").waitFor();
    await fact.getByTestId("edit-fact").click();
    await page.getByTestId("value-control").fill("My bicycle is blue.");
    await page.keyboard.press("Enter");
    await fact.getByText("blue").waitFor();
    await fact.getByTestId("pin-fact").click();
    await fact.locator("[data-testid=pin-fact][aria-pressed=true]").waitFor();
    await fact.getByTestId("history").locator("summary").click();
    await fact.getByTestId("revisions").locator(":scope > li").nth(2).waitFor();
    await fact.getByTestId("restore").last().click();
    await fact.getByTestId("value").filter({ hasText: "red" }).waitFor();
    await fact.getByTestId("delete-fact").click();
    await fact.waitFor({ state: "detached" });
    await page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
    await fact.waitFor();
    await page.getByTestId("undo-last").click();
    await leave();
  });

  test("where a fact comes from is told, and the page shows the message if it can", async () => {
    const { page, leave } = await open(panels, { before: () => { globalThis.sources = []; }, showsSources: true });
    await page.evaluate(() => user.remember({ role: "user", content: "I love spicy food." }, { threadId: "today" }));
    await page.getByTestId("tab-facts").click();
    const fact = item(page, "spicy");
    await fact.getByTestId("why").locator("summary").click();
    await fact.getByTestId("why-content").locator("mark").filter({ hasText: "spicy food" }).waitFor();
    await fact.getByTestId("show-source").click();
    assert.deepEqual(await page.evaluate(() => sources), ["I love spicy food"]);
    await leave();
  });

  test("what another tab adds is shown, and another scope's facts are not", async () => {
    const { page, context, leave } = await open(panels);
    await page.getByTestId("tab-facts").click();
    const other = await context.newPage();
    await other.goto(page.url());
    await other.waitForFunction(() => globalThis.panel?.shadowRoot.querySelector("[data-testid=tab-facts]"));
    await other.evaluate(() => user.facts.add("The other tab was here"));
    await item(page, "The other tab").waitFor();
    await other.evaluate(() => memory.scope({ userId: "somebody else" }).facts.add("A secret"));
    await other.evaluate(() => user.facts.add("The last one"));
    await item(page, "The last one").waitFor();
    assert.equal(await item(page, "A secret").count(), 0);
    await leave();
  });
});

test("texts of strangers stand as text: markup, marks of direction, very long and empty ones, in a label too", async () => {
  const { page, leave } = await open(panels);
  const texts = [
    "<img src=x onerror=alert(1)><b>bold</b>", "\u202Eevil\u202C \u2066left\u2069", "long ".repeat(800), "👩‍👩‍👧‍👦 🇵🇹 é", "\"'`]]>--><script>alert(1)</script>", "مرحبا بالعالم",
  ];
  await page.evaluate((texts) => user.facts.import(texts.map((text) => ({ text }))), texts);
  await page.evaluate(() => user.context.blocks.set({ label: "long", value: "<u>".repeat(3000) + "word ".repeat(200), limit: 20_000 }));
  await page.evaluate(() => user.graph.create_entities({ entities: [{ name: "<i>Ana</i>", entityType: "\u202Eperson", observations: ["<script>"] }, { name: "Ben", entityType: "", observations: [] }] }));
  await page.evaluate(() => user.graph.create_relations({ relations: [{ from: "<i>Ana</i>", relationType: "likes_<b>", to: "Ben" }] }));
  await page.getByTestId("tab-facts").click();
  await item(page, "bold").waitFor();
  assert.equal(await page.getByTestId("fact").count(), texts.length);
  assert.equal(await item(page, "<img src=x").count(), 1);
  assert.ok((await item(page, "long long").getByTestId("pin-fact").getAttribute("aria-label")).length < 120);
  assert.equal(await item(page, "مرحبا").getByTestId("value").evaluate((element) => getComputedStyle(element).direction), "rtl");
  await page.getByTestId("tab-graph").click();
  await page.getByRole("button", { name: "<i>Ana</i>" }).click();
  await page.getByTestId("node").filter({ hasText: "Ben" }).waitFor();
  assert.equal(await page.evaluate(() => panel.shadowRoot.querySelectorAll("img, script, b, i, u").length), 0);
  await leave();
});

// Bytes were shown as an empty object, and a large value whole: a page of megabytes stood still.
test("a document of bytes shows its size, and a large one its beginning", async () => {
  const { page, leave } = await open(panels, { sections: "documents" });
  await page.evaluate(async () => {
    await user.documents.put(["files"], "photo", new Uint8Array(20_000));
    await user.documents.put(["files"], "book", { text: "word ".repeat(60_000) });
  });
  const document = (key) => page.getByTestId("document").filter({ hasText: key });
  await document("photo").getByTestId("bytes").filter({ hasText: "20 kB" }).waitFor();
  const shown = await document("book").locator("pre").textContent();
  assert.match(shown, /^\{\s+"text": "word word .*…$/s);
  assert.ok(shown.length <= 20_001);
  await leave();
});

test("what cannot be stored is told, and what was written stays to be tried again", async () => {
  const { page, leave } = await open(panels, { sections: "facts" });
  await page.evaluate(() => user.facts.add("Ana plays the cello"));
  await page.evaluate(() => {
    for (const name of ["put", "add"]) IDBObjectStore.prototype[name] = () => { throw new DOMException("full", "QuotaExceededError"); };
  });
  await page.getByTestId("add").first().click();
  await page.getByTestId("value-control").fill("Ana sails");
  await page.keyboard.press("Enter");
  await page.locator("mnemic-panel .problem").filter({ hasText: "no more room" }).waitFor();
  assert.equal(await page.getByTestId("value-control").inputValue(), "Ana sails");
  await item(page, "cello").getByTestId("delete-fact").click();
  await page.getByTestId("toast").filter({ hasText: "Nothing was changed." }).waitFor();
  assert.equal(await item(page, "cello").count(), 1);
  await leave(/QuotaExceeded|no more room/);
});

// A message as long as a book filled the list of what was found.
test("of a long message the search shows the beginning", async () => {
  const { page, leave } = await open(panels, { sections: "search" });
  await page.evaluate(() => user.remember({ role: "user", content: `The mast is made of spruce. ${"Very long. ".repeat(5000)}` }, { threadId: "today", learn: false }));
  await page.getByTestId("search").fill("mast of spruce");
  const found = await page.getByTestId("result").getByText("The mast is made of spruce.").textContent();
  assert.ok(found.length < 1000, `${found.length} characters`);
  await leave();
});

test("what is found shows its scores, and what is about it can be forgotten", async () => {
  const { page, leave } = await open(panels);
  await page.evaluate(() => user.facts.import([{ text: "Ana plays the cello" }, { text: "Ben plays chess" }]));
  await page.getByTestId("tab-search").click();
  await page.getByTestId("search").fill("cello");
  const result = page.getByTestId("result").filter({ hasText: "cello" });
  await result.getByText(/Relevance 0\.\d|Relevance 1/).waitFor();
  await result.getByText("BM25").waitFor();
  await page.getByTestId("forget-found").click();
  await page.getByTestId("forget-state").filter({ hasText: "Would go: 1 fact" }).waitFor();
  await page.getByTestId("forget-confirm").click();
  await page.getByTestId("receipt").filter({ hasText: "1 fact" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByTestId("search-status").filter({ hasText: "Nothing found." }).waitFor();
  assert.equal(await page.evaluate(() => panel.shadowRoot.innerHTML.includes("plays the cello")), false);
  assert.deepEqual(await page.evaluate(async () => (await user.facts.list()).map(({ text }) => text)), ["Ben plays chess"]);
  await leave();
});

test("what waits for a yes is accepted and rejected", async () => {
  const { page, leave } = await open(panels, { options: { extraction: { review: true } } });
  await page.evaluate(() => user.remember([{ role: "user", content: "I live in Lisbon." }, { role: "user", content: "I play the cello." }]));
  await page.getByTestId("waiting").filter({ hasText: /things? to review/ }).click();
  const proposal = page.getByTestId("proposal");
  const lives = proposal.filter({ hasText: "The user lives in Lisbon" });
  await lives.getByTestId("accept").click();
  await lives.waitFor({ state: "detached" });
  while ((await proposal.count()) > 0) {
    const left = proposal.first();
    const id = await left.textContent();
    await left.getByTestId("reject").click();
    await page.waitForFunction((text) => ![...panel.shadowRoot.querySelectorAll("[data-testid=proposal]")].some(({ textContent }) => textContent === text), id);
  }
  const known = await page.evaluate(async () => (await user.facts.list()).map(({ text }) => text).join());
  assert.match(known, /Lisbon/);
  assert.doesNotMatch(known, /cello/);
  await leave();
});

test("the memory is locked and exported from the panel", async () => {
  const { page, leave } = await open(panels, { sections: "lock backup" });
  await page.evaluate(() => user.facts.add("Ana plays the cello"));
  await page.getByTestId("lock-passphrase").fill("four words nobody guesses");
  await page.getByTestId("lock-again").fill("four words");
  await page.getByTestId("lock-with-passphrase").click();
  await page.getByText("These two are not the same.").waitFor();
  await page.getByTestId("lock-again").fill("four words nobody guesses");
  await page.getByTestId("lock-with-passphrase").click();
  await page.getByTestId("lock-outcome").filter({ hasText: "Locked." }).waitFor();
  assert.equal(await page.evaluate(async () => (await memory.encryption.status()).by), "passphrase");
  assert.equal(await page.getByTestId("lock-now").count(), 0, "the page has no way to ask for the key");
  await page.getByTestId("tab-backup").click();
  const download = page.waitForEvent("download");
  await page.getByTestId("export").click();
  assert.match((await download).suggestedFilename(), /^mnemic-\d{4}-\d\d-\d\d\.mnemic$/);
  await page.getByTestId("backup-outcome").filter({ hasText: "Saved:" }).waitFor();
  await leave();
});

// Chromium advised both: password managers keep what is in a form, under a name.
test("a passphrase stands in a form that names it for password managers", async () => {
  const { page, leave } = await open(panels, { sections: "lock backup" });
  const names = await page.evaluate(() => [...panel.shadowRoot.querySelectorAll("input[type=password]")].map(({ form }) => form?.querySelector("input[autocomplete=username]")?.value));
  assert.deepEqual(names, ["memory", "memory", "backup", "backup"]);
  await page.getByTestId("tab-backup").click();
  await page.getByTestId("backup-sealed").check();
  await page.getByTestId("backup-passphrase").fill("four words nobody guesses");
  await page.getByTestId("backup-again").fill("four words nobody guesses");
  const download = page.waitForEvent("download");
  await page.getByTestId("backup-again").press("Enter");
  await download;
  await leave();
});

test("a page chooses sections, adds its own, goes to them and to one item", async () => {
  const { page, leave } = await open(panels, {
    sections: "facts mine nonsense facts", children: '<section slot="mine" aria-label="Mine"><p id="mine">My own</p></section>',
    before: () => { globalThis.seen = []; },
  });
  assert.deepEqual(await page.getByRole("tab").allTextContents(), ["Facts", "Mine"]);
  await page.evaluate(() => { panel.section = "mine"; });
  await page.locator("#mine").waitFor();
  assert.deepEqual(await page.evaluate(() => [panel.section, seen]), ["mine", ["mine"]]);
  const { ids } = await page.evaluate(async () => {
    await user.facts.import(Array.from({ length: 400 }, (_, index) => ({ text: `Fact number ${index}` })));
    return { ids: (await user.facts.list({ limit: 1000 })).map(({ id }) => id) };
  });
  assert.equal(await page.evaluate((id) => panel.reveal(id), ids.at(-1)), true);
  assert.equal(await page.evaluate((id) => panel.shadowRoot.activeElement.id === `item-${id}`, ids.at(-1)), true);
  await page.evaluate(() => panel.setAttribute("sections", "search"));
  await page.getByTestId("search").waitFor();
  assert.equal(await page.getByRole("tablist").count(), 0, "one section needs no tabs");
  await leave();
});

test("a panel that leaves the page listens no longer, and one that comes back is fresh", async () => {
  const { page, leave } = await open(panels, { sections: "facts" });
  await page.evaluate(async () => {
    panel.remove();
    await user.facts.add("Said meanwhile");
  });
  assert.equal(await page.evaluate(() => panel.shadowRoot.textContent.includes("Said meanwhile")), false);
  await page.evaluate(() => document.body.append(panel));
  await item(page, "Said meanwhile").waitFor();
  await page.evaluate(async () => {
    for (let times = 0; times < 3; times += 1) {
      panel.remove();
      document.body.append(panel);
    }
    define();
    define();
    panel.user = undefined;
  });
  await page.waitForFunction(() => panel.shadowRoot.childElementCount === 0);
  await leave();
});

// The panel went on showing what it had read when the user's part of the memory was locked, or the memory closed.
test("what is locked or closed is shown no longer, and what is unlocked is shown again", async () => {
  const { page, leave } = await open(panels, { options: { encryption: { passphrase: "the key of the app" } } });
  await page.evaluate(async () => {
    globalThis.errors = [];
    panel.addEventListener("mnemic-error", ({ detail }) => errors.push(detail.error.code));
    await user.facts.add("Ana plays the cello");
    await user.encryption.change({ passphrase: "two more words" });
  });
  await page.getByTestId("tab-facts").click();
  await item(page, "cello").waitFor();
  await page.evaluate(() => user.encryption.lock());
  await page.getByTestId("unreadable").waitFor();
  assert.equal(await page.evaluate(() => panel.shadowRoot.innerHTML.includes("cello")), false);
  assert.deepEqual(await faultsOf(page), []);
  await page.evaluate(() => user.encryption.unlock({ passphrase: "two more words" }));
  await item(page, "cello").waitFor();
  assert.equal(await page.evaluate(() => panel.section), "facts");
  await page.evaluate(() => memory.close());
  await page.getByTestId("unreadable").waitFor();
  assert.equal(await page.evaluate(() => panel.shadowRoot.innerHTML.includes("cello")), false);
  assert.deepEqual(await page.evaluate(() => errors), ["Locked", "Closed"]);
  await leave(/Locked|locked|closed/);
});

test("what was set before the element was known counts", async () => {
  const { page, leave } = await open(panels, { isEarly: true });
  await page.getByTestId("tab-facts").waitFor();
  await leave();
});

test("with keys alone: tabs by arrows, a fact edited, given up by Escape, and deleted", async () => {
  const { page, leave } = await open(panels);
  await page.evaluate(() => user.facts.add("Ana plays the cello"));
  await page.getByTestId("tab-profile").focus();
  await page.keyboard.press("ArrowRight");
  const focused = () => page.evaluate(() => panel.shadowRoot.activeElement?.dataset.testid ?? "");
  assert.equal(await focused(), "tab-facts");
  await item(page, "cello").waitFor();
  const order = [];
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press("Tab");
    order.push(await focused());
  }
  assert.deepEqual(order.slice(0, 5), ["add", "include-past", "pin-fact", "edit-fact", "delete-fact"]);
  await page.getByTestId("edit-fact").press("Enter");
  assert.equal(await focused(), "value-control");
  await page.keyboard.press("Escape");
  assert.equal(await focused(), "edit-fact");
  await page.getByTestId("delete-fact").press("Enter");
  await item(page, "cello").waitFor({ state: "detached" });
  await page.waitForFunction(() => panel.shadowRoot.activeElement?.textContent === "Undo");
  assert.deepEqual(await faultsOf(page), [], "a notice");
  await page.keyboard.press("Enter");
  await item(page, "cello").waitFor();
  await page.evaluate(() => { panel.dir = "rtl"; });
  await page.waitForFunction(() => panel.shadowRoot.firstElementChild.dir === "rtl");
  await page.getByTestId("tab-facts").press("ArrowLeft");
  assert.equal(await focused(), "tab-graph");
  await leave();
});

describe("everybody can use it", () => {
  for (const [name, options] of Object.entries({
    "a desktop in light": { colorScheme: "light", viewport: { width: 1000, height: 800 } },
    "a phone in dark": { colorScheme: "dark", viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    "a phone from right to left, without motion": { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, reducedMotion: "reduce", dir: "rtl" },
    "forced colours": { forcedColors: "active", viewport: { width: 800, height: 700 } },
  })) {
    test(`on ${name}`, async () => {
      const { dir, ...context } = options;
      const { page, leave } = await open(panels, { context, html: { dir: dir ?? "" }, dir });
      await page.evaluate(PANEL.fill);
      for (const section of SECTIONS) {
        await page.evaluate((section) => { panel.section = section; }, section);
        if (section === "search") {
          await page.getByTestId("search").fill("cello");
          await page.getByTestId("result").first().waitFor();
        }
        if (section === "facts") {
          await page.getByTestId("facts").getByTestId("why").first().locator("summary").click();
          await page.getByTestId("facts").getByTestId("history").first().locator("summary").click();
          await page.getByTestId("facts").getByTestId("revisions").first().locator("li").first().waitFor();
        }
        if (section === "graph") await page.getByRole("button", { name: "Ana", exact: true }).click();
        assert.deepEqual(await faultsOf(page), [], section);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${section} is wider than the page`);
        await panels.picture(page, `${name.replaceAll(/\W+/g, "-")}-${section}`);
      }
      await page.evaluate(() => void panel.forget({ words: "cello" }));
      await page.getByTestId("forget-state").filter({ hasText: "Would go" }).waitFor();
      assert.deepEqual(await faultsOf(page), [], "forgetting");
      await panels.picture(page, `${name.replaceAll(/\W+/g, "-")}-dialog`);
      await leave();
    });
  }
});

describe("languages", () => {
  for (const [lang, facts] of Object.entries({ en: "Facts", "de-AT": "Fakten", es: "Datos", ja: "事実", ko: "사실", "zh-Hans": "事实", tlh: "Facts" })) {
    test(`it speaks ${lang}`, async () => {
      const { page, leave } = await open(panels, { html: { lang } });
      assert.match(await page.getByTestId("tab-facts").textContent(), new RegExp(facts));
      assert.equal(await page.evaluate(() => panel.shadowRoot.firstElementChild.lang), lang === "tlh" ? "en" : lang);
      await page.evaluate(PANEL.fill);
      for (const section of SECTIONS) {
        await page.evaluate((section) => { panel.section = section; }, section);
        for (const colorScheme of ["light", "dark"]) {
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await faultsOf(page), [], `${section}, ${colorScheme}`);
        }
      }
      await page.evaluate(() => { panel.lang = "es"; });
      await page.getByTestId("tab-facts").filter({ hasText: "Datos" }).waitFor();
      await leave();
    });
  }

  test("every language has every text, with the places of the English one", async () => {
    const tables = await panels.tables();
    const english = tables.en;
    const places = (text) => [...new Set(JSON.stringify(text).match(/\{\w+\}/g))].sort();
    assert.deepEqual(Object.keys(tables).sort(), ["de", "en", "es", "ja", "ko", "zh"]);
    for (const [language, texts] of Object.entries(tables)) {
      assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort(), language);
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const [key, text] of Object.entries(texts)) {
        assert.deepEqual(places(text), places(english[key]), `${language}: ${key}`);
        const empty = typeof text === "string" ? text.trim() === "" : Object.values(text).some((form) => form.trim() === "");
        assert.equal(empty, false, `${language}: ${key} is empty`);
        if (typeof text === "object") for (const form of Object.keys(text)) assert.ok(forms.includes(form), `${language} has no plural form "${form}": ${key}`);
      }
    }
  });
});

test("it can be imported where there is no page", async () => {
  const { define } = await import(panels.entry);
  assert.doesNotThrow(define);
});

test("a page may forbid styles and scripts of its own: the panel breaks no policy", async () => {
  const context = await panels.browser.newContext();
  const { page, complaints } = await openPage(context, panels.url);
  await page.getByTestId("tab-facts").waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});
