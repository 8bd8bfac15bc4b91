/** Directions of writing and narrow places in `<mnemic-panel>` and `<mnemic-devtools>`. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, startPanels } from "./support/panel.mjs";

let panels;
before(async () => { panels = await startPanels(); });
after(() => panels?.close());

/** How many pixels the end of a text stands to the right of its beginning. */
const extent = (page, selector, text) => page.evaluate(([selector, text]) => {
  const element = [...panel.shadowRoot.querySelectorAll(selector)].find(({ textContent }) => textContent === text);
  const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const at = (offset) => { const range = document.createRange(); range.setStart(node, offset); range.setEnd(node, offset + 1); return range.getBoundingClientRect(); };
  return at(node.length - 1).right - at(0).left;
}, [selector, text]);

// The full stop at the end of an English sentence stood at its beginning.
test("an English panel on a page from right to left reads from left to right; what users and the page wrote has its own direction", async () => {
  const { page, leave } = await open(panels, { html: { dir: "rtl", lang: "ar" }, sections: "facts documents mine", children: '<section slot="mine" aria-label="لي"><p id="mine">لي!</p></section>' });
  const hint = "No facts yet. They are learned from what you write.";
  assert.ok((await extent(page, ".hint", await page.locator("mnemic-panel .hint").first().textContent() ?? hint)) > 100);
  await page.evaluate(() => user.facts.import([{ text: "مرحبا!" }, { text: "Hello!" }]));
  await page.getByTestId("fact").nth(1).waitFor();
  assert.ok((await extent(page, ".value", "مرحبا!")) < 0, "Arabic");
  assert.ok((await extent(page, ".value", "Hello!")) > 0, "English");
  await page.evaluate(() => { panel.section = "mine"; });
  assert.equal(await page.locator("#mine").evaluate((element) => getComputedStyle(element).direction), "rtl");
  await page.evaluate(() => { panel.dir = "rtl"; });
  await page.waitForFunction(() => getComputedStyle(panel.shadowRoot.querySelector(".tab-bar")).direction === "rtl");
  await leave();
});

// What a user wrote turned the rest of the sentence around that it was put into.
test("what stands inside a sentence does not turn it around", async () => {
  const { page, leave } = await open(panels, { sections: "facts" });
  await page.evaluate(() => user.facts.add("\u202Eabc مرحبا"));
  assert.equal(await page.getByTestId("pin-fact").getAttribute("aria-label"), "Pin \u2068\u202Eabc مرحبا\u2069");
  await page.evaluate(() => user.facts.add("Hello"));
  assert.equal(await page.getByTestId("pin-fact").first().getAttribute("aria-label"), "Pin Hello");
  await leave();
});

// Below 270 px the letters of "Weight 8 of 10" stood one below the other.
test("in a narrow place words stay whole, and nothing stands out", async () => {
  const { page, leave } = await open(panels, { sections: "facts", style: "mnemic-panel { width: 220px }" });
  await page.evaluate(() => user.facts.import([{ text: "Ana plays the cello", category: "personal info", significance: 8 }]));
  const weight = page.locator("mnemic-panel .significance");
  await weight.waitFor();
  const lines = await weight.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getClientRects().length;
  });
  assert.ok(lines <= 2, `it takes ${lines} lines`);
  assert.equal(await page.evaluate(() => panel.shadowRoot.querySelector(".tab-panel").scrollWidth <= panel.shadowRoot.querySelector(".tab-panel").clientWidth), true);
  await panels.picture(page, "narrow-facts");
  await leave();
});
