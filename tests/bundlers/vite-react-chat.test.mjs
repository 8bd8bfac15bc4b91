/** The example for Vite and React, built and used as its README says: a chat in the browser that remembers. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { viteApp } from "./support/vite-app.mjs";

let app;

before(async () => {
  app = await viteApp("vite-react-chat");
});

after(() => app?.close());

const messages = (page) => page.locator("p[data-role]").allTextContents();
const facts = (page) => page.locator("aside li span").allTextContents();

/** Waits until a list of the page is as wanted. */
const until = async (read, page, wanted) => {
  const end = Date.now() + 30_000;
  for (let now = await read(page); JSON.stringify(now) !== JSON.stringify(wanted); now = await read(page)) {
    if (Date.now() > end) assert.deepEqual(now, wanted);
    await page.waitForTimeout(20);
  }
};

/** Sends a message, and waits for the answer. */
async function say(page, words) {
  const before = (await messages(page)).length;
  await page.getByLabel("Message").fill(words);
  await page.getByRole("button", { name: "Send" }).click();
  await page.waitForFunction((count) => document.querySelectorAll("p[data-role]").length === count, before + 2);
}

const first = ["YouI live in Lisbon.", "AssistantYou said: I live in Lisbon."];

for (const [where, args] of [["built", ["preview"]], ["developed", []]]) {
  test(`${where}: what is said in one chat is remembered in another, after a reload and in a second tab, and can be undone`, async () => {
    await app.withPage({ args }, async (page, open) => {
      const other = await open();
      await say(page, "I live in Lisbon.");
      assert.deepEqual(await messages(page), first);
      await until(messages, other, first);
      for (const tab of [page, other]) await until(facts, tab, ["The user lives in Lisbon."]);

      await page.getByRole("button", { name: "Second chat" }).click();
      await say(page, "Where do I live?");
      const second = await messages(page);
      assert.match(second[1], /^AssistantI remember:\n- .*Lisbon/);
      await page.reload();
      await until(messages, page, first);

      await page.getByRole("button", { name: "Delete: The user lives in Lisbon." }).click();
      for (const tab of [page, other]) await until(facts, tab, []);
      await other.getByRole("button", { name: "Undo: You deleted a fact" }).click();
      for (const tab of [page, other]) await until(facts, tab, ["The user lives in Lisbon."]);
    });
  });
}

test("a message stands on its writer's side, in its own direction, and deleting with the keyboard keeps the place", async () => {
  await app.withPage({ args: ["preview"] }, async (page) => {
    await say(page, "I live in Lisbon.");
    await say(page, "אני גר בליסבון");
    for (const [direction, mine, others] of [["ltr", "right", "left"], ["rtl", "left", "right"]]) {
      const sides = await page.evaluate((direction) => {
        document.documentElement.dir = direction;
        const middle = (element) => (({ left, right }) => (left + right) / 2)(element.getBoundingClientRect());
        const log = middle(document.querySelector("[role=log]"));
        return [...document.querySelectorAll("p[data-role]")].map((element) => (middle(element) < log ? "left" : "right"));
      }, direction);
      assert.deepEqual(sides, [mine, others, mine, others]);
    }
    assert.equal(await page.locator("p[data-role] span").nth(2).evaluate((element) => getComputedStyle(element).direction), "rtl");
    await page.getByRole("button", { name: "Delete: The user lives in Lisbon." }).press("Enter");
    await until(facts, page, []);
    await page.waitForFunction(() => document.activeElement.matches("aside ul"));
  });
});
