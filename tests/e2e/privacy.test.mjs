/** Letting go, locking and coming back, as a person does it in the demo. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Demo, desktop, phone } from "./support/demo.mjs";
import { calling, failing, saying, startEndpoint } from "./support/endpoint.mjs";
import { barriers, stickingOut, tooSmall } from "./support/sight.mjs";
import { placesOf } from "./support/stored.mjs";

let demo;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

const dialogOf = (user) => user.page.getByTestId("forget-dialog");
const choicesOf = (user) => user.page.getByTestId("forget-dialog").locator("label");

/** Says yes to what the dialog shows, and closes the receipt. */
async function sayYes(user) {
  await user.page.getByTestId("forget-confirm").click();
  await user.page.getByTestId("receipt").waitFor();
  await user.page.getByTestId("forget-done").click();
}

/** Whether the page shows a text, or holds it where nobody looks. */
const onPage = (user, text) => user.page.evaluate((text) => document.documentElement.outerHTML.toLowerCase().includes(text), text);

/** Waits until what is stored has settled: the copy follows within a second. */
async function settled(user) {
  await user.page.waitForFunction(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("mnemic").catch(() => undefined);
    return folder !== undefined;
  });
}

test("a fact is forgotten with its words, its field and the replies that told it; a receipt stays", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  await user.say("What do I love?");
  await settled(user);
  assert.ok((await placesOf(page, "xylophone")).length > 0, "the scan finds what is there");
  await user.tab("facts");
  await page.getByTestId("forget-fact").click();
  await user.sees(dialogOf(user), "Deleting hides a thing from the assistant and can be undone. Forgetting removes it for good");
  await user.sees(page.getByTestId("forget-along"), "The user likes xylophones.");
  await user.sees(page.getByTestId("forget-state"), /Would go: 3 messages, 1 profile field, 1 fact/);
  assert.deepEqual(await page.getByTestId("forget-choice").evaluateAll((boxes) => boxes.map(({ checked }) => checked)), [true, true, true, true]);
  await page.getByTestId("forget-confirm").click();
  await user.sees(page.getByTestId("receipt"), /3 messages, 1 profile field, 1 fact.*Undo cannot bring it back/s);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Done");
  await page.keyboard.press("Enter");
  await dialogOf(user).waitFor({ state: "hidden" });
  await user.facts.waitFor({ state: "detached" });
  await page.waitForFunction(() => !document.documentElement.outerHTML.toLowerCase().includes("xylophone"));
  assert.deepEqual(await placesOf(page, "xylophone"), []);

  await page.getByTestId("undo-last").click();
  await user.sees(page.getByTestId("toast"), "There is nothing to undo.");
  await user.reload();
  await user.privacy("forget");
  await user.sees(page.getByTestId("receipt-row"), /3 messages, 1 profile field, 1 fact.*Undo cannot bring it back/s);
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.leave();
});

test("nothing is forgotten without a yes, and what is not chosen stays", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  await user.tab("facts");
  await page.getByTestId("forget-fact").click();
  await user.sees(page.getByTestId("forget-state"), "Would go");
  await page.getByTestId("forget-cancel").click();
  await dialogOf(user).waitFor({ state: "hidden" });
  await user.sees(user.facts, "xylophones");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^Forget The user likes xylophones/);

  await page.getByTestId("forget-fact").click();
  await user.sees(page.getByTestId("forget-state"), /1 profile field/);
  await choicesOf(user).filter({ hasText: "I love xylophones." }).getByRole("checkbox").uncheck();
  await user.sees(page.getByTestId("forget-state"), "Would go: 1 message, 1 profile field, 1 fact");
  await sayYes(user);
  await user.facts.waitFor({ state: "detached" });
  // The message stays to be read, but is told no more.
  const message = page.getByTestId("message-user");
  await user.sees(message.locator("s"), "I love xylophones.");
  await user.sees(message.getByTestId("withheld"), "the assistant is no longer told it");
  await user.leave();
});

test("a message that says more than the fact is left for the user to choose", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("My name is Alice. I love xylophones.");
  await user.tab("facts");
  await user.facts.filter({ hasText: "xylophones" }).getByTestId("forget-fact").click();
  const message = choicesOf(user).filter({ hasText: "says more than this" });
  assert.equal(await message.getByRole("checkbox").isChecked(), false);
  await sayYes(user);
  await user.sees(user.facts, "Alice");
  assert.equal(await user.facts.count(), 1);
  await user.tab("profile");
  await user.sees(user.value("name"), "Alice");
  await user.sees(user.field("likes"), "Not known yet");
  await user.leave();
});

test("a message, then a chat, are forgotten from where they stand", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("My name is Alice.");
  await user.say("I love xylophones.");
  await page.getByTestId("message-user").filter({ hasText: "xylophones" }).getByTestId("forget-message").click();
  await user.sees(dialogOf(user), "Forget this message?");
  await user.sees(page.getByTestId("forget-state"), /Would go: 2 messages, 1 profile field, 1 fact/);
  await sayYes(user);
  await page.getByTestId("message-user").filter({ hasText: "xylophones" }).waitFor({ state: "detached" });
  assert.equal(await onPage(user, "xylophone"), false);
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.sees(page.getByTestId("message-user"), "My name is Alice.");

  await page.getByRole("button", { name: "Forget the chat “My name is Alice.”" }).click();
  await user.sees(dialogOf(user), "Forget this chat?");
  await user.sees(page.getByTestId("forget-along"), "Name: Alice");
  await sayYes(user);
  await page.getByTestId("welcome").waitFor();
  await user.sees(user.field("name"), "Not known yet");
  assert.equal(await page.getByTestId("forget-chat").count(), 0);
  assert.deepEqual(await placesOf(page, "Alice"), []);
  await user.leave();
});

test("everything about a word is looked for, chosen and forgotten; what is only alike stays unless it is chosen", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("Dr. Weber says my knee is fine.");
  await user.say("I like Weber's garden.");
  await user.say("My knee hurts on Sundays.");
  await user.privacy("forget");
  await page.getByTestId("forget-words").fill("Nobody at all");
  await page.getByTestId("forget-about").click();
  await user.sees(page.getByTestId("forget-state"), /Nothing (was found|is chosen)/);
  assert.equal(await page.getByTestId("forget-confirm").isDisabled(), true);
  await page.getByTestId("forget-cancel").click();
  await page.getByTestId("forget-words").fill("weber");
  await page.getByTestId("forget-about").click();
  await user.sees(dialogOf(user), "Forget everything about “weber”?");
  await user.sees(choicesOf(user), "Dr. Weber says my knee is fine.");
  await sayYes(user);
  await page.waitForFunction(() => !document.querySelector(".transcript").textContent.includes("Weber"));
  assert.deepEqual(await placesOf(page, "weber"), []);
  await user.sees(page.getByTestId("message-user"), "My knee hurts on Sundays.");
  assert.equal(await page.getByTestId("receipt-row").count(), 1);

  await user.tab("search");
  await page.getByTestId("search").fill("knee");
  await page.getByTestId("forget-found").click();
  await user.sees(choicesOf(user), "My knee hurts on Sundays.");
  await sayYes(user);
  assert.deepEqual(await placesOf(page, "knee hurts"), []);
  await user.leave();
});

test("someone in the graph, a document and a block are forgotten where they stand", async () => {
  const user = await demo.open();
  const { page } = user;
  const documents = JSON.stringify({ items: [{ namespace: ["notes"], key: "band", value: { text: "The xylophone is out of tune." }, created_at: "2026-03-01T10:00:00+00:00", updated_at: "2026-03-01T10:00:00+00:00" }] });
  const graph = [
    { type: "entity", name: "Ana", entityType: "person", observations: ["plays the xylophone"] },
    { type: "entity", name: "Orchestra", entityType: "group", observations: [] },
    { type: "relation", from: "Ana", to: "Orchestra", relationType: "plays in" },
  ].map((line) => JSON.stringify(line)).join("\n");
  for (const [name, content] of Object.entries({ "memory.jsonl": graph, "documents.json": documents })) {
    await user.more("import");
    await page.getByTestId("import-file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
    await user.sees(page.getByTestId("import-outcome"), / new, 0 already here, 0 failed/);
  }
  await user.unfold("blocks");
  await page.getByTestId("blocks").getByTestId("add").click();
  await page.getByTestId("block-name").fill("band");
  await page.getByTestId("block-value").fill("Tune the xylophone.");
  await page.getByTestId("blocks").getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Forget band" }).click();
  await user.sees(page.getByTestId("forget-state"), "Would go: 1 block");
  await sayYes(user);
  await page.getByRole("button", { name: "Forget band" }).waitFor({ state: "detached" });
  await user.tab("graph");
  await page.getByTestId("entity").getByRole("button", { name: "Ana" }).click();
  await page.getByTestId("opened-entity").getByTestId("forget-entry").click();
  await user.sees(page.getByTestId("forget-state"), "Would go: 1 person or thing, 1 connection");
  await sayYes(user);
  await user.sees(page.getByTestId("entity"), "Orchestra");
  assert.equal(await page.getByTestId("entity").count(), 1);
  await user.more("documents");
  await page.getByTestId("document").getByTestId("forget-document").click();
  await user.sees(page.getByTestId("forget-state"), "Would go: 1 document");
  await sayYes(user);
  await page.getByTestId("document").waitFor({ state: "detached" });
  assert.equal(await onPage(user, "xylophone"), false);
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.leave();
});

test("everything is forgotten at once, and the next thing said is kept", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  await user.privacy("forget");
  await page.getByTestId("forget-everything").click();
  await user.sees(page.getByTestId("forget-state"), "Would go");
  await sayYes(user);
  await page.getByTestId("welcome").waitFor();
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.say("My name is Alice.");
  await user.tab("profile");
  await user.sees(user.value("name"), "Alice");
  await user.leave();
});

test("what is deleted is withheld where it was said, until that is undone", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones. It rains today.");
  await user.tab("facts");
  await page.getByTestId("delete-fact").click();
  await user.sees(page.getByTestId("toast"), "Fact deleted. The assistant is no longer told it.");
  const message = page.getByTestId("message-user");
  await user.sees(message.locator("s"), "I love xylophones.");
  assert.doesNotMatch(await message.locator("s").textContent(), /rains/);
  await user.sees(message.getByTestId("withheld"), "withheld");
  await page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
  await user.sees(user.facts, "xylophones");
  await message.locator("s").waitFor({ state: "detached" });
  await user.leave();
});

const lockPanel = async (user, passphrase, again = passphrase) => {
  await user.page.getByTestId("lock-passphrase").fill(passphrase);
  await user.page.getByTestId("lock-again").fill(again);
  await user.page.getByTestId("lock-with-passphrase").click();
};

async function unlock(user, passphrase) {
  await user.page.getByTestId("unlock-passphrase").fill(passphrase);
  await user.page.getByTestId("unlock").click();
}

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
  await page.waitForFunction(() => document.querySelector("#lock-passphrase").value === "");
  await user.say("And trombones.");
  await page.getByTestId("lock-now").click();
  await locked.waitFor();
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  assert.deepEqual(await placesOf(page, "trombone"), []);
  assert.equal(await page.evaluate(() => document.activeElement.id), "unlock-passphrase");
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

/** Saves a backup, and answers it as a file to choose. */
async function saveBackup(user, passphrase) {
  const { page } = user;
  await user.privacy("backup");
  await page.getByTestId("backup-sealed").setChecked(passphrase !== undefined);
  if (passphrase !== undefined) for (const part of ["passphrase", "again"]) await page.getByTestId(`backup-${part}`).fill(passphrase);
  const downloading = page.waitForEvent("download");
  await page.getByTestId("export").click();
  const download = await downloading;
  await user.sees(page.getByTestId("backup-outcome"), "Saved");
  return { name: download.suggestedFilename(), mimeType: "application/octet-stream", buffer: await readFile(await download.path()) };
}

async function choose(user, file) {
  await user.more("import");
  await user.page.getByTestId("import-file").setInputFiles(file);
  await user.page.getByTestId("restore-dialog").waitFor();
}

test("a sealed backup is saved, and merged into another browser, and taken back", async () => {
  const user = await demo.open();
  await user.say("I love xylophones.");
  const file = await saveBackup(user, "four words nobody guesses");
  assert.match(file.name, /^mnemic-\d{4}-\d\d-\d\d\.mnemic$/);
  assert.ok(!file.buffer.includes("xylophones"));
  await user.sees(user.page.getByTestId("backup-state"), /Last file saved by you\s*\d/);
  await user.leave();

  const other = await demo.open();
  const { page } = other;
  await other.say("My name is Alice.");
  await choose(other, file);
  await page.getByTestId("restore-start").click();
  await other.sees(page.getByTestId("restore-outcome"), "This backup is sealed.");
  await page.getByTestId("restore-passphrase").fill("four words somebody guesses");
  await page.getByTestId("restore-start").click();
  await other.sees(page.getByTestId("restore-outcome"), "That is not its passphrase. Nothing was changed.");
  await page.getByTestId("restore-passphrase").fill("four words nobody guesses");
  await page.getByTestId("restore-start").click();
  await other.sees(page.getByTestId("restore-outcome"), /[1-9]\d* new, .*The backup was made/s);
  await page.getByTestId("restore-close").click();
  await other.tab("facts");
  await other.sees(other.facts, "xylophones");
  await other.sees(other.facts, "Alice");
  await choose(other, file);
  await page.getByTestId("restore-passphrase").waitFor({ state: "hidden" });
  await page.getByTestId("restore-start").click();
  await page.getByTestId("restore-passphrase").fill("four words nobody guesses");
  await page.getByTestId("restore-start").click();
  await other.sees(page.getByTestId("restore-outcome"), "There was nothing new in it.");
  await page.getByTestId("restore-close").click();
  await page.getByTestId("undo-last").click();
  await other.tab("facts");
  await other.facts.filter({ hasText: "xylophones" }).waitFor({ state: "detached" });
  await other.sees(other.facts, "Alice");
  await other.leave();
});

test("a backup replaces everything, and undo brings back what was there", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  const file = await saveBackup(user);
  assert.ok(file.buffer.includes("xylophones"));
  await user.say("My name is Alice.");
  await choose(user, file);
  await page.getByTestId("restore-replace").check();
  await page.getByTestId("restore-start").click();
  await user.sees(page.getByTestId("restore-outcome"), "The memory is what the backup holds");
  await user.field("name").filter({ hasText: "Not known yet" }).waitFor({ state: "attached" });
  await page.getByTestId("restore-undo").click();
  await user.sees(page.getByTestId("restore-outcome"), "Undone");
  await page.getByTestId("restore-close").click();
  await user.tab("profile");
  await user.sees(user.value("name"), "Alice");

  await choose(user, { ...file, buffer: file.buffer.subarray(0, file.buffer.length - 9) });
  await page.getByTestId("restore-start").click();
  await user.sees(page.getByTestId("restore-outcome"), "damaged or incomplete");
  await page.getByTestId("restore-close").click();
  await user.tab("profile");
  await user.sees(user.value("name"), "Alice");
  await user.leave();
});

/** Gives what a picker would: a folder of the site's own, since nobody is there to choose one. */
const pickers = () => {
  const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("chosen", { create: true });
  window.showDirectoryPicker = folder;
  window.showSaveFilePicker = async ({ suggestedName }) => (await folder()).getFileHandle(suggestedName, { create: true });
};

const chosenFiles = (page) => page.evaluate(async () => {
  const files = {};
  const walk = async (folder, path) => {
    for await (const [name, handle] of folder.entries()) {
      if (handle.kind === "directory") await walk(handle, `${path}${name}/`);
      else files[`${path}${name}`] = await (await handle.getFile()).text();
    }
  };
  await walk(await (await navigator.storage.getDirectory()).getDirectoryHandle("chosen"), "");
  return files;
});

test("what is remembered is written into a folder as Markdown and JSON, or saved as one text", async () => {
  const user = await demo.open({ before: pickers });
  await user.say("I love xylophones.");
  await user.privacy("backup");
  await user.page.getByTestId("export-files").click();
  await user.sees(user.page.getByTestId("backup-outcome"), /Written: \d+ files/);
  const files = await chosenFiles(user.page);
  assert.match(files["facts.md"], /xylophones/);
  assert.ok(Object.keys(files).some((path) => path.startsWith("threads/")), Object.keys(files).join());
  await user.leave();

  const other = await demo.open({ before: () => { delete window.showDirectoryPicker; delete window.showSaveFilePicker; } });
  await other.say("I love xylophones.");
  await other.privacy("backup");
  await other.sees(other.page.getByTestId("no-pickers"), "does not let pages write files");
  const downloading = other.page.waitForEvent("download");
  await other.page.getByTestId("export-files").click();
  assert.match(await readFile(await (await downloading).path(), "utf8"), /===== facts\.md =====\n\n# Facts\n\n- The user likes xylophones/);
  await other.leave();
});

test("backups are made by themselves, go on after a reload, and stop", async () => {
  const user = await demo.open({ before: pickers });
  const { page } = user;
  const state = page.getByTestId("backup-state");
  await user.say("I love xylophones.");
  await user.privacy("backup");
  await user.sees(state, /Backs up by itself\s*No/);
  await user.sees(state, /Second copy\s*(Up to date|In the site's private files)/);
  await user.sees(state, /Room in this browser\s*.* of .* taken/);
  await page.getByTestId("backup-file").click();
  await user.sees(page.getByTestId("backup-outcome"), "Backed up to “mnemic.mnemic”");
  await user.sees(state, /Backs up by itself\s*To “mnemic.mnemic”.*Last backup\s*\d/s);
  assert.match((await chosenFiles(page))["mnemic.mnemic"], /xylophones/);
  await user.reload();
  await user.tab("privacy");
  await user.sees(page.getByTestId("menu-backup"), "Last backup");
  await user.privacy("backup");
  await user.say("I love trombones.");
  await page.getByTestId("backup-now").click();
  await user.sees(page.getByTestId("backup-outcome"), "Backed up.");
  assert.match((await chosenFiles(page))["mnemic.mnemic"], /trombones/);
  await page.getByTestId("backup-stop").click();
  await user.sees(state, /Backs up by itself\s*No/);
  await user.leave();
});

/** Throws the memory away as a browser does: its database, and its second copy too unless it is spared. */
const lose = (page, sparesCopy) => page.evaluate(async (sparesCopy) => {
  await new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase("mnemic:mnemic-demo");
    request.onsuccess = resolve;
    request.onerror = reject;
  });
  if (!sparesCopy) await (await navigator.storage.getDirectory()).removeEntry("mnemic", { recursive: true });
}, sparesCopy);

/** Leaves the page and goes where its memory is not open. */
async function away(user) {
  const { page } = user;
  const home = page.url();
  await page.route("**/away", (route) => route.fulfill({ contentType: "text/html", body: "<link rel=icon href=/favicon.svg>" }));
  await page.goto(new URL("/away", home).href);
  return async () => {
    await page.goto(home);
    await user.composer.waitFor();
  };
}

test("a lost memory is told of, and comes back from the last backup by one button", async () => {
  const user = await demo.open({ before: pickers });
  const { page } = user;
  const banner = page.getByTestId("banner");
  await user.say("I love xylophones.");
  await user.privacy("backup");
  await page.getByTestId("backup-folder").click();
  await user.sees(page.getByTestId("backup-outcome"), "Backed up");
  const back = await away(user);
  await lose(page, false);
  await back();
  await user.sees(banner, /The browser lost this memory \(\d+ records, last seen .*The last backup was made/);
  await page.getByTestId("banner-restore").click();
  await user.sees(page.getByTestId("restore-outcome"), /The memory is what the backup holds|new/);
  await page.getByTestId("restore-close").click();
  await banner.waitFor({ state: "hidden" });
  await user.tab("facts");
  await user.sees(user.facts, "xylophones");
  await user.reload();
  assert.equal(await banner.isVisible(), false);
  await user.leave();
});

test("without a backup of its own, a lost memory comes back from a file, and what was said since stays", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  const file = await saveBackup(user);
  const back = await away(user);
  await lose(page, false);
  await back();
  await user.say("My name is Alice.");
  const choosing = page.waitForEvent("filechooser");
  await page.getByTestId("banner-restore").click();
  await (await choosing).setFiles(file);
  await user.sees(page.getByTestId("restore-outcome"), /[1-9]\d* new/);
  await page.getByTestId("restore-close").click();
  await user.tab("facts");
  await user.sees(user.facts, "xylophones");
  await user.sees(user.facts, "Alice");
  await user.leave();
});

test("a database that is lost comes back from the second copy, and the page says so", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  await user.privacy("backup");
  await page.waitForFunction(() => document.querySelector("[data-testid=backup-state]")?.textContent.includes("Up to date") || (document.querySelector("[data-testid=menu-back]").click(), document.querySelector("[data-testid=menu-backup]").click(), false), undefined, { polling: 500 });
  const back = await away(user);
  await lose(page, true);
  await back();
  await user.sees(page.getByTestId("banner"), "It came back from its second copy.");
  assert.equal(await page.getByTestId("banner-restore").count(), 0);
  await user.sees(page.getByTestId("message-user"), "xylophones");
  await page.getByTestId("banner-dismiss").click();
  await page.getByTestId("banner").waitFor({ state: "hidden" });
  await user.leave();
});

test("a temporary chat reads the memory, keeps nothing, and is dropped", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I live in Lisbon.");
  await page.getByTestId("temporary-chat").click();
  await user.sees(page.getByTestId("temporary-bar"), "Nothing said here is kept");
  assert.equal(await page.getByTestId("temporary-save").isDisabled(), true);
  await user.sees(await user.say("Where do I live?"), "Lisbon");
  await user.sees(await user.say("I love xylophones."), "I keep nothing of it");
  await user.tab("facts");
  assert.equal(await user.facts.count(), 1);
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  // It waits while another chat is looked at.
  await page.getByTestId("threads").getByRole("button", { name: /^I live in Lisbon/ }).click();
  await page.getByTestId("temporary-bar").waitFor({ state: "hidden" });
  await page.getByTestId("temporary-chat").click();
  await user.sees(page.getByTestId("message-user"), "xylophones");
  await page.getByTestId("temporary-drop").click();
  await user.sees(page.getByTestId("toast"), "Nothing of it was kept");
  await page.getByTestId("welcome").waitFor();
  assert.equal(await page.getByTestId("forget-chat").count(), 1);
  assert.equal(await onPage(user, "xylophone"), false);
  await page.getByTestId("temporary-chat").click();
  await user.say("I love xylophones.");
  await user.reload();
  assert.equal(await page.getByTestId("message-user").count(), 0);
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.leave();
});

test("a temporary chat is kept when the user wants it, and learned from then", async () => {
  const user = await demo.open();
  const { page } = user;
  await page.getByTestId("temporary-chat").click();
  await user.say("I love xylophones.");
  // Other settings open the memory anew; the chat goes on.
  await page.getByTestId("open-settings").click();
  await page.getByTestId("save-settings").click();
  await page.getByTestId("settings-dialog").waitFor({ state: "hidden" });
  await user.sees(page.getByTestId("message-user"), "xylophones");
  await page.getByTestId("temporary-save").click();
  await user.sees(page.getByTestId("toast"), "Kept. This is an ordinary chat now.");
  await page.getByTestId("temporary-bar").waitFor({ state: "hidden" });
  await user.tab("facts");
  await user.sees(user.facts, "xylophones");
  await user.reload();
  await user.sees(page.getByTestId("message-user"), "xylophones");
  await user.leave();
});

/** What a web page said, as an app would bring it in: it waits for the user. */
async function heldProposals() {
  const { openMemory } = await import(new URL("../../www/node_modules/mnemic/entry/node.js", import.meta.url));
  const memory = await openMemory({ name: "held", storage: "memory" });
  const user = memory.scope({ userId: "me" });
  await user.remember({ role: "user", content: "I live in Lisbon." }, { threadId: "chat-held" });
  await user.remember({ role: "user", content: "Hi! I live in Porto.", trust: "web" }, { threadId: "chat-held" });
  await memory.idle();
  const buffer = Buffer.from(await new Response(memory.export()).arrayBuffer());
  await memory.close();
  return { name: "held.mnemic", mimeType: "application/octet-stream", buffer };
}

test("what an untrusted source would change waits, and says where it comes from", async () => {
  const user = await demo.open();
  const { page } = user;
  await choose(user, await heldProposals());
  await page.getByTestId("restore-replace").check();
  await page.getByTestId("restore-start").click();
  await user.sees(page.getByTestId("restore-outcome"), "The memory is what the backup holds");
  await page.getByTestId("restore-close").click();
  await user.sees(page.getByTestId("waiting"), "to review");
  await page.getByTestId("waiting").click();
  const proposal = page.getByTestId("proposal").first();
  await user.sees(proposal.getByTestId("held"), "From the web: it would change what is trusted more than its source");
  await user.sees(proposal, "Porto");
  await user.tab("facts");
  await user.sees(user.facts, "Lisbon");
  await user.leave();
});

test("another tab drops what is forgotten too, also what is unfolded there", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.say("I love xylophones.");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByTestId("tab-window").click();
  await other.getByTestId("slot").first().click();
  await other.getByTestId("exchange").filter({ hasText: "xylophones" }).waitFor();
  await other.getByTestId("tab-facts").click();
  for (const details of ["why", "history"]) await other.getByTestId("fact").getByTestId(details).locator("summary").click();
  await other.getByTestId("why-content").locator("mark").waitFor();
  await page.getByTestId("message-user").getByTestId("forget-message").click();
  await user.sees(page.getByTestId("forget-state"), "Would go");
  await sayYes(user);
  for (const tab of [page, other]) await tab.waitForFunction(() => !document.documentElement.outerHTML.toLowerCase().includes("xylophone"));
  assert.deepEqual(await placesOf(page, "xylophone"), []);
  await user.leave();
});

test("a model answers in a temporary chat; it reads the memory, and what it would change is refused", async () => {
  const endpoint = await startEndpoint();
  try {
    const user = await demo.open();
    const { page } = user;
    await user.say("I live in Lisbon.");
    await user.connect(endpoint);
    await page.getByTestId("temporary-chat").click();
    const answers = [calling([["facts_add", { text: "The user plays the xylophone." }]]), saying("Xylophones are lovely.")];
    endpoint.chat = () => (answers.length > 1 ? answers.shift() : answers[0]);
    const reply = await user.say("I play the xylophone.");
    await user.sees(reply, "Xylophones are lovely.");
    await user.sees(reply.getByTestId("calls").locator("summary"), /facts_add\s*failed/);
    const { messages } = endpoint.requests.filter(({ response_format: format }) => !format).at(-1);
    assert.match(JSON.stringify(messages), /Lisbon.*I play the xylophone/s);
    assert.deepEqual(await placesOf(page, "xylophone"), []);
    await user.tab("facts");
    assert.equal(await user.facts.filter({ hasText: "xylophone" }).count(), 0);
    await user.leave();
  } finally {
    await endpoint.close();
  }
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

test("all of it is done by keyboard, and the focus is never lost", async () => {
  const user = await demo.open();
  const { page } = user;
  const { keyboard } = page;
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-testid") ?? document.activeElement?.id ?? "");
  const tabTo = async (testId) => {
    for (let presses = 0; presses < 60 && (await focused()) !== testId; presses += 1) await keyboard.press("Tab");
    assert.equal(await focused(), testId);
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
  assert.equal(await focused(), "forget-choice");
  await keyboard.press("Escape");
  await dialogOf(user).waitFor({ state: "hidden" });
  assert.equal(await focused(), "forget-fact");
  await keyboard.press("Enter");
  await user.sees(page.getByTestId("forget-confirm"), /Forget [4-9] things/);
  await tabTo("forget-confirm");
  await keyboard.press("Enter");
  await page.getByTestId("receipt").waitFor();
  await page.waitForFunction(() => document.activeElement?.dataset.testid === "forget-done");
  await keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.dataset.testid === "facts");

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
  await page.waitForFunction(() => document.activeElement?.closest("[data-testid=lock-panel]"));
  await page.getByTestId("menu-back").focus();
  await tabTo("lock-now");
  await keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.id === "unlock-passphrase");
  await keyboard.type("wrong");
  await keyboard.press("Enter");
  await user.sees(page.getByTestId("unlock-problem"), "Try again");
  await page.waitForFunction(() => document.activeElement?.id === "unlock-passphrase");
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
