/** Words that are forgotten are in no stored byte of a browser: IndexedDB, localStorage, and copies in OPFS and a bucket. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openPage } from "./support/browser.mjs";
import { PAGE, ready } from "./support/page.mjs";
import { NOTHING } from "./support/planting.mjs";
import { serveProject } from "./support/served.mjs";

/** Looks through all that an origin stores. */
const SCAN = `
import { holds } from "./planting.js";

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const text = (value) => new TextEncoder().encode(value);

async function* databases() {
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const values = database.transaction(store).objectStore(store);
      const [keys, all] = await Promise.all([done(values.getAllKeys()), done(values.getAll())]);
      for (const [index, key] of keys.entries()) {
        const value = all[index] instanceof Blob ? new Uint8Array(await all[index].arrayBuffer()) : all[index];
        yield [\`\${name}/\${key}\`, value instanceof Uint8Array ? value : text(JSON.stringify(value))];
      }
    }
    database.close();
  }
}

/** Values of localStorage hold 15 bits in each character but the first. */
function dense(value) {
  const bits = Array.from(value.slice(1), (letter) => (letter.charCodeAt(0) - 0x3400).toString(2).padStart(15, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => parseInt(byte, 2));
}

async function* items() {
  for (const [key, value] of Object.entries(localStorage)) {
    yield [\`localStorage/\${key}\`, text(value)];
    yield [\`localStorage/\${key}\`, dense(value)];
  }
}

async function* files(folder, path) {
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind === "directory") yield* files(handle, \`\${path}/\${name}\`);
    else yield [\`\${path}/\${name}\`, new Uint8Array(await (await handle.getFile()).arrayBuffer())];
  }
}

export async function stored() {
  const found = [];
  const places = [databases(), items(), files(await navigator.storage.getDirectory(), "opfs")];
  for (const name of await navigator.storageBuckets.keys()) {
    places.push(files(await (await navigator.storageBuckets.open(name)).getDirectory(), name));
  }
  for (const place of places) {
    for await (const [name, bytes] of place) if (holds(text(name)) || holds(bytes)) found.push(name.replace(/[/].*/, ""));
  }
  return [...new Set(found)];
}
`;

const SCRIPT = `
import * as mnemic from "./node_modules/mnemic/entry/browser.js";
import { forgotten, options } from "./planting.js";
import { stored } from "./scan.js";

globalThis.erase = async ({ whole, encrypted, ...where }) => {
  const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]);
  const open = () => mnemic.openMemory({ ...options, name: "erased", ...where, ...(encrypted && { encryption: { key } }) });
  return forgotten(open, stored, whole);
};
globalThis.mnemic = mnemic;
`;

let browser, server, close;

before(async () => {
  const planting = await readFile(join(import.meta.dirname, "support/planting.mjs"), "utf8");
  ({ browser, server, close } = await serveProject({ ...PAGE, "page.js": SCRIPT, "scan.js": SCAN, "planting.js": planting }));
});

after(() => close?.());

const PLACES = [
  [{ storage: "indexeddb" }, ["mnemic:erased"]],
  [{ storage: "localstorage" }, ["localStorage"]],
  [{ storage: "opfs", worker: true }, ["opfs"]],
  [{ storage: "indexeddb", copy: "opfs" }, ["mnemic:erased", "opfs"]],
  [{ storage: "indexeddb", copy: "bucket" }, ["mnemic:erased", "mnemic"]],
];

for (const [where, places] of PLACES) {
  for (const whole of [false, true]) {
    for (const encrypted of [false, true]) {
      test(`${[where.storage, where.copy].filter(Boolean).join(" with a copy in ")}${whole ? ", a scope" : ""}${encrypted ? ", encrypted" : ""}`, async () => {
        const context = await browser.newContext();
        try {
          const { page, complaints } = await openPage(context, server.url);
          await ready(page);
          const { before, after } = await page.evaluate((given) => erase(given), { ...where, whole, encrypted });
          assert.ok(before.told && before.kinds.length >= 7, `planted in ${before.kinds}`);
          assert.deepEqual(before.stored, encrypted ? [] : places);
          assert.deepEqual(after, NOTHING);
          assert.deepEqual(complaints, []);
        } finally {
          await context.close();
        }
      });
    }
  }
}
