/** Privacy by keyboard, and with words that are endless or hostile. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Demo, desktop, phone } from "./support/demo.mjs";
import { away, dialogOf, lockPanel, lose, pickers, unlock } from "./support/privacy.mjs";
import { barriers, stickingOut, tooSmall } from "./support/sight.mjs";

let demo;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

test("all of it is done by keyboard, and the focus is never lost", async () => {
  const user = await demo.open();
  const { page } = user;
  const { keyboard } = page;
  const focus = () => page.evaluate(() => focused()?.getAttribute("data-testid") ?? focused()?.id ?? "");
  const tabTo = async (testId) => {
    for (let presses = 0; presses < 60 && (await focus()) !== testId; presses += 1) await keyboard.press("Tab");
    assert.equal(await focus(), testId);
  };
  await user.say("I love xylophones.");
  await page.getByTestId("tab-profile").focus();
  await keyboard.press("ArrowRight");
  await tabTo("forget-fact");
  await keyboard.press("Enter");
  await user.sees(page.getByTestId("forget-state"), "Would go");
  await tabTo("forget-choice");
  await keyboard.press("Space");
  await page.locator("[data-testid=forget-choice]:not(:checked)").waitFor();
  // The field rests on the message, which is still chosen.
  await user.sees(page.getByTestId("forget-along"), "Likes: xylophones");
  assert.equal(await focus(), "forget-choice");
  await keyboard.press("Escape");
  await dialogOf(user).waitFor({ state: "hidden" });
  assert.equal(await focus(), "forget-fact");
  await keyboard.press("Enter");
  await user.sees(page.getByTestId("forget-confirm"), /Forget [4-9] things/);
  await tabTo("forget-confirm");
  await keyboard.press("Enter");
  await page.getByTestId("receipt").waitFor();
  await page.waitForFunction(() => focused()?.dataset.testid === "forget-done");
  await keyboard.press("Enter");
  await page.waitForFunction(() => focused()?.dataset.testid === "facts");

  await page.getByTestId("tab-search").focus();
  await keyboard.press("ArrowRight");
  await tabTo("menu-lock");
  await keyboard.press("Enter");
  await tabTo("lock-passphrase");
  await keyboard.type("four words nobody guesses");
  await keyboard.press("Tab");
  await keyboard.type("four words nobody guesses");
  await keyboard.press("Enter");
  await user.sees(page.getByTestId("lock-outcome"), "Locked.");
  await page.waitForFunction(() => focused()?.closest("[data-testid=lock-panel]"));
  await page.getByTestId("menu-back").focus();
  await tabTo("lock-now");
  await keyboard.press("Enter");
  await page.waitForFunction(() => focused()?.id === "unlock-passphrase");
  await keyboard.type("wrong");
  await keyboard.press("Enter");
  await user.sees(page.getByTestId("unlock-problem"), "Try again");
  await page.waitForFunction(() => focused()?.id === "unlock-passphrase");
  await keyboard.type("four words nobody guesses");
  await keyboard.press("Enter");
  await user.composer.waitFor();
  await user.leave();
});

const ENDLESS = "xylo".repeat(2500);
const told = ["I love <img src=x onerror=alert(1)><b>xylophones</b>.", `I love ${ENDLESS}.`, "I love مرحبا بكم \u202Exylophones."];

for (const [device, options] of Object.entries({ desktop, phone })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`whatever is let go of stays text, fits and can be read: ${device}, ${colorScheme}`, async () => {
      const user = await demo.open({ ...options, colorScheme, reducedMotion: "reduce", before: pickers });
      const { page } = user;
      const look = async (part) => {
        await user.screenshot(`${device}-${colorScheme}-privacy-${part}`);
        const senses = device === "phone" ? [barriers, stickingOut, tooSmall] : [barriers, stickingOut];
        for (const sense of senses) assert.deepEqual(await sense(page), [], `${part}: ${sense.name}`);
        assert.equal(await page.locator("img, main b, dialog b").count(), 0, part);
        assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("dialog[open], main")].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ className }) => className)), [], part);
      };
      const show = async () => { if (device === "phone") await page.getByTestId("open-memory").tap(); };
      const hide = async () => { if (device === "phone") await page.keyboard.press("Escape"); };
      const chats = async () => { if (device === "phone") await page.getByTestId("open-threads").tap(); };
      for (const words of told) await user.say(words);
      await user.say("x".repeat(10_000));
      await look("chat");
      await page.getByTestId("forget-message").last().click();
      await user.sees(page.getByTestId("forget-state"), "Would go");
      await look("forget-message");
      await page.getByTestId("forget-cancel").click();
      await chats();
      await page.getByTestId("forget-chat").click();
      await user.sees(page.getByTestId("forget-state"), "Would go");
      await look("forget-chat");
      await page.getByTestId("forget-cancel").click();
      await hide();
      await show();
      await user.privacy("forget");
      await page.getByTestId("forget-words").fill("xylo");
      await page.getByTestId("forget-about").click();
      await user.sees(page.getByTestId("forget-state"), "Would go");
      await look("forget-words");
      await page.getByTestId("forget-confirm").click();
      await page.getByTestId("receipt").waitFor();
      await look("receipt");
      await page.getByTestId("forget-done").click();
      await page.getByTestId("receipt-row").waitFor();
      await look("receipts");
      await user.privacy("backup");
      await page.getByTestId("backup-folder").click();
      await user.sees(page.getByTestId("backup-outcome"), "Backed up");
      await page.getByTestId("backup-sealed").check();
      await page.getByTestId("export").click();
      await page.getByRole("alert").filter({ hasText: "Use at least" }).waitFor();
      await look("backup");
      await user.more("import");
      await page.getByTestId("import-file").setInputFiles({ name: `<img src=x>${"x".repeat(180)}.mnemic`, mimeType: "application/octet-stream", buffer: Buffer.from("mnemic\r\nand nothing more") });
      await page.getByTestId("restore-start").click();
      await user.sees(page.getByTestId("restore-outcome"), /damaged|incomplete/);
      await look("restore");
      await page.getByTestId("restore-close").click();
      await user.privacy("lock");
      await lockPanel(user, "four words nobody guesses");
      await user.sees(page.getByTestId("lock-outcome"), "Locked.");
      await page.getByTestId("lock-remove").click();
      await look("lock");
      await hide();
      await chats();
      await page.getByTestId("temporary-chat").click();
      await user.say(told[0]);
      await look("temporary");
      await page.reload();
      await unlock(user, "wrong");
      await user.sees(page.getByTestId("unlock-problem"), "Try again");
      await page.getByTestId("locked").locator("summary").click();
      await page.getByTestId("lost-key").click();
      await look("locked");
      const back = await away(user);
      await lose(page, false);
      await back();
      await user.sees(page.getByTestId("banner"), "It was locked; what is kept from now on is not");
      await look("lost");
      await user.leave();
    });
  }
}
