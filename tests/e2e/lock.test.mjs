/** Locking a memory, as a person does it in the demo. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Demo } from "./support/demo.mjs";
import { calling, failing, startEndpoint } from "./support/endpoint.mjs";
import { lockPanel, sayYes, unlock } from "./support/privacy.mjs";
import { placesOf } from "./support/stored.mjs";

let demo;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

test("a passphrase locks the memory, opens it, is changed and removed", async () => {
  const user = await demo.open();
  const { page } = user;
  const locked = page.getByTestId("locked");
  await user.say("I love xylophones.");
  await user.privacy("lock");
  await user.sees(page.getByTestId("lock-state"), "Not locked");
  await lockPanel(user, "short");
  await user.sees(page.getByRole("alert"), "Use at least 8 characters");
  await lockPanel(user, "four words nobody guesses", "four words nobody knows");
  await user.sees(page.getByRole("alert"), "not the same");
  await user.sees(page.getByTestId("lock-state"), "Not locked");
  await lockPanel(user, "four words nobody guesses");
  await user.sees(page.getByTestId("lock-state"), "Locked with a passphrase");
  await page.waitForFunction(() => document.querySelector("mnemic-panel").shadowRoot.querySelector("#lock-passphrase").value === "");
  await user.say("And trombones.");
  await page.getByTestId("lock-now").click();
  await locked.waitFor();
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  assert.deepEqual(await placesOf(page, "trombone"), []);
  assert.equal(await page.evaluate(() => focused().id), "unlock-passphrase");
  await unlock(user, "four words somebody guesses");
  await user.sees(page.getByTestId("unlock-problem"), "That is not the passphrase. Try again.");
  await unlock(user, "four words nobody guesses");
  await user.composer.waitFor();
  await user.sees(page.getByTestId("message-user"), "xylophones");

  // The settings open the memory anew, and must not ask.
  await page.getByTestId("open-settings").click();
  await page.getByTestId("setting-review").check();
  await page.getByTestId("save-settings").click();
  await page.getByTestId("settings-dialog").waitFor({ state: "hidden" });
  await user.say("It is late.");

  await user.privacy("lock");
  await page.getByTestId("lock-form").locator("summary").click();
  await lockPanel(user, "another four words entirely");
  await user.sees(page.getByTestId("lock-outcome"), "Locked.");
  await page.reload();
  await unlock(user, "four words nobody guesses");
  await user.sees(page.getByTestId("unlock-problem"), "not the passphrase");
  await unlock(user, "another four words entirely");
  await user.composer.waitFor();
  await user.privacy("lock");
  await page.getByTestId("lock-remove").click();
  await page.getByTestId("lock-remove-confirm").click();
  await user.sees(page.getByTestId("lock-state"), "Not locked");
  await user.reload();
  await user.sees(page.getByTestId("message-user"), "xylophones");
  await user.leave();
});

test("who lost the key can only begin anew, after being asked twice", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  await user.privacy("lock");
  await lockPanel(user, "four words nobody guesses");
  await user.sees(page.getByTestId("lock-outcome"), "Locked.");
  await page.getByTestId("lock-now").click();
  await page.getByTestId("locked").locator("summary").click();
  await page.getByTestId("lost-key").click();
  await page.getByTestId("lost-key-confirm").click();
  await page.getByTestId("welcome").waitFor();
  assert.equal(await page.getByTestId("banner").isVisible(), false);
  assert.equal(await page.evaluate(() => localStorage.getItem("mnemic-demo-locked")), null);
  await user.leave();
});

/** An authenticator in the page's browser, such as a laptop has one. */
async function authenticator(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2", ctap2Version: "ctap2_1", transport: "internal", hasResidentKey: true, hasUserVerification: true, hasPrf: true,
      isUserVerified: true, automaticPresenceSimulation: true,
    },
  });
}

test("a passkey locks the memory and opens it", async () => {
  const user = await demo.open();
  const { page } = user;
  // Passkeys belong to a domain, and an address of numbers is none.
  const home = page.url().replace("127.0.0.1", "localhost");
  user.allowed.push(new URL(home).origin);
  await page.goto(home);
  await user.composer.waitFor();
  await authenticator(page);
  await user.say("I love xylophones.");
  await user.privacy("lock");
  await page.getByTestId("lock-with-passkey").click();
  await user.sees(page.getByTestId("lock-state"), "Locked with a passkey");
  await page.getByTestId("lock-now").click();
  await user.sees(page.getByTestId("locked"), "It opens with the passkey");
  assert.equal(await page.getByTestId("unlock-passphrase").count(), 0);
  // The user says no to the browser, once.
  await page.evaluate(() => {
    const { credentials } = navigator;
    credentials.get = () => {
      delete credentials.get;
      return Promise.reject(new DOMException("no", "NotAllowedError"));
    };
  });
  await page.getByTestId("unlock").click();
  await user.sees(page.getByTestId("unlock-problem"), "The passkey was not given. Try again.");
  await page.getByTestId("unlock").click();
  await user.sees(page.getByTestId("message-user"), "xylophones");
  await user.leave();
});

test("a tab that is open while another locks says so, and opens again", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByTestId("message-user").waitFor();
  await user.privacy("lock");
  await lockPanel(user, "four words nobody guesses");
  await user.sees(page.getByTestId("lock-outcome"), "Locked.");
  await other.getByTestId("banner").filter({ hasText: "changed in another tab" }).waitFor();
  await other.getByTestId("banner-reload").click();
  await other.getByTestId("locked").waitFor();
  await user.leave();
});

test("what a broken reply had called is kept nowhere once it is forgotten, or the memory is locked", async () => {
  const endpoint = await startEndpoint();
  try {
    const user = await demo.open();
    const { page } = user;
    await user.connect(endpoint);
    const breaks = ({ messages }) => (messages.some(({ role }) => role === "tool") ? failing(500, "out of order") : calling([["facts_add", { text: "The user plays the xylophone." }]]));
    endpoint.chat = breaks;
    await user.composer.fill("I play the xylophone.");
    await user.composer.press("Enter");
    await user.sees(page.getByTestId("trouble"), "out of order");
    assert.ok((await placesOf(page, "xylophone")).includes("localStorage"));
    await user.privacy("forget");
    await page.getByTestId("forget-words").fill("xylophone");
    await page.getByTestId("forget-about").click();
    await user.sees(page.getByTestId("forget-state"), "Would go");
    await sayYes(user);
    assert.deepEqual(await placesOf(page, "xylophone"), []);

    await user.privacy("lock");
    await lockPanel(user, "four words nobody guesses");
    await user.sees(page.getByTestId("lock-outcome"), "Locked.");
    await user.composer.fill("I play the trombone, or the xylophone.");
    await user.composer.press("Enter");
    await user.sees(page.getByTestId("calls").locator("summary"), "facts_add");
    await user.sees(page.getByTestId("trouble"), "out of order");
    assert.deepEqual(await placesOf(page, "xylophone"), []);
    // The page still knows it, so that nothing is done twice.
    const { messages } = (await page.getByTestId("retry").click(), await user.sees(page.getByTestId("trouble"), "out of order"), endpoint.requests.at(-1));
    assert.ok(messages.some(({ role }) => role === "tool"));
    await user.leave([/^console: Failed to load resource/]);
  } finally {
    await endpoint.close();
  }
});
