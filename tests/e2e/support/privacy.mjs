/** What a person does in Privacy. */
import { waitUntil } from "../../package/support/browser.mjs";

export const dialogOf = (user) => user.page.getByTestId("forget-dialog");
export const choicesOf = (user) => user.page.getByTestId("forget-dialog").locator("label");

/** Says yes to what the dialog shows, and closes the receipt. */
export async function sayYes(user) {
  await user.page.getByTestId("forget-confirm").click();
  await user.page.getByTestId("receipt").waitFor();
  await user.page.getByTestId("forget-done").click();
}

/** Whether the page shows a text, or holds it where nobody looks. */
export const onPage = (user, text) => user.page.evaluate((text) => wholePage().toLowerCase().includes(text), text);

/** Waits until what is stored has settled: the copy follows within a second. */
export async function settled(user) {
  await waitUntil(user.page, async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("mnemic").catch(() => undefined);
    return folder !== undefined;
  });
}

export const lockPanel = async (user, passphrase, again = passphrase) => {
  await user.page.getByTestId("lock-passphrase").fill(passphrase);
  await user.page.getByTestId("lock-again").fill(again);
  await user.page.getByTestId("lock-with-passphrase").click();
};

export async function unlock(user, passphrase) {
  await user.page.getByTestId("unlock-passphrase").fill(passphrase);
  await user.page.getByTestId("unlock").click();
}

/** Gives what a picker would: a folder of the site's own, since nobody is there to choose one. */
export const pickers = () => {
  const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("chosen", { create: true });
  window.showDirectoryPicker = folder;
  window.showSaveFilePicker = async ({ suggestedName }) => (await folder()).getFileHandle(suggestedName, { create: true });
};

/** Chooses a file to bring in, and waits until the dialog asks how. */
export async function choose(user, file) {
  await user.more("import");
  await user.page.getByTestId("import-file").setInputFiles(file);
  await user.page.getByTestId("restore-dialog").waitFor();
}

/** Throws the memory away as a browser does: its database, and its second copy too unless it is spared. */
export const lose = (page, sparesCopy) => page.evaluate(async (sparesCopy) => {
  await new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase("mnemic:mnemic-demo");
    request.onsuccess = resolve;
    request.onerror = reject;
  });
  if (!sparesCopy) await (await navigator.storage.getDirectory()).removeEntry("mnemic", { recursive: true });
}, sparesCopy);

/** Leaves the page and goes where its memory is not open. */
export async function away(user) {
  const { page } = user;
  const home = page.url();
  await page.route("**/away", (route) => route.fulfill({ contentType: "text/html", body: "<link rel=icon href=/favicon.svg>" }));
  await page.goto(new URL("/away", home).href);
  return async () => {
    await page.goto(home);
    await user.composer.waitFor();
  };
}
