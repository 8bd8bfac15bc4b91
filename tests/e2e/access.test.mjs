/** The demo by keyboard, on a phone, in both themes and with an input method. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Demo, desktop, phone } from "./support/demo.mjs";
import { fillPanel } from "./support/hostile.mjs";
import { barriers, stickingOut, tooSmall } from "./support/sight.mjs";

let demo;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

const focusOf = (user) => user.page.evaluate(() => focused()?.getAttribute("aria-label") ?? focused()?.textContent ?? "");

test("everything can be done by keyboard", async () => {
  const user = await demo.open();
  const { keyboard } = user.page;
  await user.page.waitForFunction(() => focused()?.getAttribute("aria-label") === "Message");
  await keyboard.type("I live in Lisbon.");
  await keyboard.press("Shift+Enter");
  await keyboard.type("I love spicy food.");
  await keyboard.press("Enter");
  await user.replies.first().waitFor();
  assert.equal(await user.page.locator("[data-testid=message-user] .words").textContent(), "I live in Lisbon.\nI love spicy food.");
  assert.equal(await focusOf(user), "Message");

  await user.page.getByTestId("tab-profile").focus();
  await keyboard.press("ArrowRight");
  assert.match(await focusOf(user), /^Facts/);
  await user.facts.first().waitFor();
  const facts = await user.facts.count();
  await user.page.getByTestId("delete-fact").first().focus();
  await keyboard.press("Enter");
  await user.page.getByTestId("toast").getByRole("button", { name: "Undo" }).waitFor();
  assert.equal(await focusOf(user), "Undo");
  await keyboard.press("Enter");
  await user.facts.nth(facts - 1).waitFor();

  await user.page.getByTestId("open-settings").focus();
  await keyboard.press("Enter");
  await user.page.getByTestId("settings-dialog").waitFor();
  await keyboard.press("Escape");
  assert.equal(await focusOf(user), "Settings");
  await user.leave();
});

test("the window and what is sorted behind it are reached by keyboard", async () => {
  const user = await demo.open();
  const { keyboard } = user.page;
  await user.say("My name is Alice.");
  await user.page.getByTestId("window-line").focus();
  await keyboard.press("Enter");
  assert.equal(await user.page.getByTestId("window").evaluate((element) => element === focused()), true);
  await keyboard.press("Tab");
  assert.equal(await user.page.evaluate(() => focused().id), "window-size");
  await keyboard.press("2");
  await user.sees(user.page.getByTestId("window-line"), "of 2K");
  const slot = user.page.getByTestId("slot").first();
  for (let presses = 0; presses < 10 && !(await slot.evaluate((element) => element === focused())); presses += 1) await keyboard.press("Tab");
  await keyboard.press("Enter");
  await user.sees(user.page.getByTestId("opened-page"), "My name is Alice.");
  assert.equal(await slot.getAttribute("aria-expanded"), "true");
  assert.match(await focusOf(user), /^Exchange 1 of 1: My name is Alice\./);
  await keyboard.press("Enter");
  await user.page.getByTestId("exchange").waitFor({ state: "detached" });
  await user.leave();
});

test("the skip link is the first stop and leads to the message box", async () => {
  const user = await demo.open(phone);
  await user.page.keyboard.press("Tab");
  assert.equal(await focusOf(user), "Skip to the message box");
  await user.page.keyboard.press("Enter");
  assert.equal(await focusOf(user), "Message");
  await user.leave();
});

test("Enter that ends a composition does not send", async () => {
  const user = await demo.open();
  await user.composer.fill("안녕하세");
  await user.composer.dispatchEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true });
  await user.composer.dispatchEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true });
  assert.equal(await user.composer.inputValue(), "안녕하세");
  assert.equal(await user.page.getByTestId("message-user").count(), 0);
  await user.composer.press("Enter");
  await user.replies.first().waitFor();
  await user.leave();
});

test("replies are announced", async () => {
  const user = await demo.open();
  const reply = await user.say("My name is Alice.");
  const words = await reply.locator(".words").textContent();
  await user.sees(user.page.getByTestId("announcer"), words);
  await user.leave();
});

test("on a phone the memory is a sheet that closes and hands the focus back", async () => {
  const user = await demo.open(phone);
  await user.say("My name is Alice and I live in Lisbon.");
  assert.equal(await user.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  const open = user.page.getByTestId("open-memory");
  await user.sees(open, /Memory.*[1-9]/s);
  await open.tap();
  const sheet = user.page.getByRole("dialog", { name: "What I remember" });
  await sheet.waitFor();
  await user.sees(user.value("place"), "Lisbon");
  await user.page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
  assert.match(await focusOf(user), /^Memory/);
  await open.tap();
  await user.field("place").getByTestId("show-source").tap();
  await sheet.waitFor({ state: "hidden" });
  await user.page.locator("[data-testid=message-user]:focus").waitFor();
  await user.leave();
});

const places = ["proposals", "instructions", "episodes", "documents", "blocks", "import", "status"];

/** Goes through everything that the panel can show, one part after the other. */
async function everywhere(user, look) {
  for (const tab of ["profile", "facts", "graph", "window", "search", "privacy", "more"]) {
    await user.tab(tab);
    await look(tab);
  }
  for (const place of places) {
    await user.more(place);
    await look(place);
  }
  for (const place of ["forget", "lock", "backup"]) {
    await user.privacy(place);
    await look(place);
  }
}

test("on a phone everything that is touched is large enough", async () => {
  const user = await demo.open(phone);
  await user.say("My name is Alice and I live in Lisbon.");
  assert.deepEqual(await tooSmall(user.page), []);
  await user.page.getByTestId("open-memory").tap();
  await fillPanel(user);
  await everywhere(user, async (part) => assert.deepEqual(await tooSmall(user.page), [], part));
  await user.leave();
});

for (const [device, options] of Object.entries({ desktop, phone })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`whatever is remembered stays text, fits and can be read: ${device}, ${colorScheme}`, async () => {
      const user = await demo.open({ ...options, colorScheme, reducedMotion: "reduce" });
      if (device === "phone") await user.page.getByTestId("open-memory").tap();
      await fillPanel(user);
      await everywhere(user, async (part) => {
        await user.screenshot(`${device}-${colorScheme}-hostile-${part}`);
        for (const look of [barriers, stickingOut]) assert.deepEqual(await look(user.page), [], `${part}: ${look.name}`);
        assert.equal(await user.page.locator("img, mnemic-panel b, mnemic-panel script").count(), 0, part);
      });
      await user.tab("graph");
      await user.page.getByTestId("entity").first().getByRole("button").click();
      await user.page.getByTestId("node").first().waitFor();
      await user.screenshot(`${device}-${colorScheme}-hostile-entity`);
      for (const look of [barriers, stickingOut]) assert.deepEqual(await look(user.page), [], `entity: ${look.name}`);
      await user.leave();
    });

    test(`nothing stands in the way before anything was said, in dialogs and in forms: ${device}, ${colorScheme}`, async () => {
      const user = await demo.open({ ...options, colorScheme, reducedMotion: "reduce" });
      const { page } = user;
      const look = async (part) => {
        for (const sense of [barriers, stickingOut]) assert.deepEqual(await sense(page), [], `${part}: ${sense.name}`);
      };
      await look("welcome");
      await page.getByTestId("open-settings").click();
      await look("settings");
      await page.getByTestId("kind-endpoint").check();
      await page.getByTestId("save-settings").click();
      await look("settings that cannot be saved");
      await page.keyboard.press("Escape");
      if (device === "phone") {
        await page.getByTestId("open-threads").tap();
        await look("chats");
        await page.keyboard.press("Escape");
        await page.getByTestId("open-memory").tap();
      }
      await everywhere(user, async (part) => {
        await look(part);
        const add = page.getByRole("tabpanel").getByTestId("add").first();
        if (!(await add.isVisible())) return;
        await add.click();
        await look(`${part}, adding`);
      });
      await page.keyboard.press("Escape");
      await user.say("I live in Lisbon. My name is Alice.");
      if (device === "phone") await page.getByTestId("open-memory").tap();
      await user.tab("profile");
      for (const details of ["why", "history"]) await user.field("place").getByTestId(details).locator("summary").click();
      await user.field("place").getByTestId("revisions").locator("li").first().waitFor();
      await look("why and history");
      await page.getByRole("button", { name: "Edit Home" }).click();
      await look("a field that is edited");
      await page.getByRole("button", { name: "Delete Name" }).click();
      await user.notice.waitFor();
      await look("a notice");
      await user.leave();
    });
  }
}

/** How far the page, and everything around the lists that may scroll, has moved. */
const moved = (user) => user.page.evaluate(() => {
  const panels = [...document.querySelectorAll("mnemic-panel")].flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll(".panel, .tabs")]);
  const still = [document.documentElement, document.body, ...document.querySelectorAll(".columns, .chat, mnemic-panel, .sheet"), ...panels];
  return still.filter(({ scrollTop, scrollLeft }) => scrollTop !== 0 || scrollLeft !== 0).map(({ className, tagName }) => `${tagName} ${className}`);
});

for (const [device, options] of Object.entries({ desktop, phone })) {
  test(`the way to a message moves the messages and nothing else: ${device}`, async () => {
    const user = await demo.open({ ...options, reducedMotion: "reduce" });
    const { page } = user;
    await user.say("I live in Lisbon.");
    for (let number = 0; number < 12; number += 1) await user.say(`How is the weather on day ${number}?`);
    await user.say("My name is Alice.");
    const header = await page.locator("header").boundingBox();
    for (const [field, words] of [["place", "Lisbon"], ["name", "Alice"], ["place", "Lisbon"]]) {
      if (device === "phone") await page.getByTestId("open-memory").tap();
      await user.field(field).getByTestId("show-source").click();
      const message = page.locator("[data-testid=message-user]:focus");
      await user.sees(message, words);
      const { y, height } = await message.boundingBox();
      assert.ok(y > header.height && y + height < options.viewport.height, `${words} stands at ${y}`);
      assert.deepEqual(await moved(user), []);
      assert.deepEqual(await page.locator("header").boundingBox(), header);
    }
    await page.locator("[data-testid=keepsake]").first().click();
    await page.locator("[data-testid=field-place]:focus").waitFor();
    assert.deepEqual(await moved(user), []);
    await user.leave();
  });

  test(`a notice leaves the message box free, however much is written: ${device}`, async () => {
    const user = await demo.open({ ...options, reducedMotion: "reduce" });
    const { page } = user;
    await user.say("I live in Lisbon.");
    const overlap = async (locator) => {
      const [one, other] = await Promise.all([user.notice.boundingBox(), locator.boundingBox()]);
      return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
    };
    await user.composer.fill("A line.\n".repeat(30));
    if (device === "phone") await page.getByTestId("open-memory").tap();
    await page.getByRole("button", { name: "Delete Home" }).click();
    await user.notice.waitFor();
    if (device === "phone") {
      for (const control of [page.getByTestId("undo-last"), page.getByTestId("tab-facts")]) assert.equal(await overlap(control), false);
    }
    await user.sees(user.notice, "Deleted.");
    if (device === "desktop") for (const control of [user.composer, page.getByTestId("send"), page.getByTestId("model-note")]) assert.equal(await overlap(control), false);
    await page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
    await user.sees(user.notice, "Undone.");
    if (device === "desktop") assert.equal(await overlap(user.composer), false);
    await user.leave();
  });
}

test("the parts under More are reached and left by keyboard", async () => {
  const user = await demo.open();
  const { keyboard } = user.page;
  await user.page.getByTestId("tab-profile").focus();
  await keyboard.press("End");
  assert.match(await focusOf(user), /^More/);
  await user.page.getByTestId("menu-instructions").focus();
  await keyboard.press("Enter");
  assert.equal(await focusOf(user), "Instructions");
  await user.page.getByRole("button", { name: "Add How to reply" }).focus();
  await keyboard.press("Enter");
  await keyboard.type("Be brief.");
  await keyboard.press("Escape");
  assert.equal(await focusOf(user), "Add How to reply");
  await user.page.getByTestId("menu-back").focus();
  await keyboard.press("Enter");
  assert.match(await focusOf(user), /^Instructions/);
  await user.leave();
});

for (const [device, options] of Object.entries({ desktop, phone })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`pictures: ${device}, ${colorScheme}`, async () => {
      const user = await demo.open({ ...options, colorScheme, reducedMotion: "reduce" });
      const name = `${device}-${colorScheme}`;
      await user.screenshot(`${name}-welcome`);
      await user.say("My name is Alice, I live in Lisbon and I love spicy food.");
      await user.say("저는 서울에 살고 있어요.");
      await user.say("私は猫が好きです。");
      await user.sees(await user.say("What do you remember about me?"), "Alice");
      await user.screenshot(`${name}-chat`);
      if (device === "phone") await user.page.getByTestId("open-memory").tap();
      await user.field("place").getByTestId("history").locator("summary").click();
      await user.field("place").getByTestId("revisions").locator("li").first().waitFor();
      await user.screenshot(`${name}-profile`);
      await user.tab("facts");
      await user.screenshot(`${name}-facts`);
      await user.more("import");
      await user.page.getByTestId("import-file").setInputFiles(fileURLToPath(new URL("../fixtures/imports/memory.jsonl", import.meta.url)));
      await user.sees(user.page.getByTestId("import-outcome"), "new");
      await user.screenshot(`${name}-import`);
      await user.tab("graph");
      await user.page.getByTestId("entity").getByRole("button", { name: "Ana" }).click();
      await user.page.getByTestId("node").first().waitFor();
      await user.screenshot(`${name}-graph`);
      await user.tab("more");
      await user.screenshot(`${name}-more`);
      await user.tab("search");
      await user.page.getByTestId("search").fill("where do I live");
      await user.page.getByTestId("result").first().waitFor();
      await user.screenshot(`${name}-search`);
      await user.more("status");
      await user.page.getByTestId("verify").click();
      await user.sees(user.page.getByTestId("verdict"), /\S/);
      await user.screenshot(`${name}-status`);
      await user.leave();
    });
  }
}
