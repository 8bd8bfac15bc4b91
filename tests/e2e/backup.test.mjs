/** Backups, exports and what is lost, as a person meets them in the demo. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Demo } from "./support/demo.mjs";
import { away, choose, lose, pickers } from "./support/privacy.mjs";

let demo;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

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
  await page.waitForFunction(() => {
    const { shadowRoot } = document.querySelector("mnemic-panel");
    if (shadowRoot.querySelector("[data-testid=backup-state]")?.textContent.includes("Up to date")) return true;
    for (const control of ["menu-back", "menu-backup"]) shadowRoot.querySelector(`[data-testid=${control}]`).click();
    return false;
  }, undefined, { polling: 500 });
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
