/** Documents of 16 MiB in the storages of a page: whole, or not there. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { createProject } from "./support/project.mjs";
import { serve } from "./support/server.mjs";

const PAGE = `<!doctype html><script type="module">
  import * as mnemic from "./node_modules/mnemic/entry/browser.js";
  const bytes = Uint8Array.from({ length: 16 << 20 }, (_, place) => (place * 2654435761) >>> 13);
  const open = async (options) => {
    const memory = await mnemic.openMemory({ name: "large", ...options });
    return { memory, user: memory.scope({ userId: "alice" }) };
  };
  const isWhole = ({ data }) => data.byteLength === bytes.byteLength && data.every((byte, place) => byte === bytes[place]);
  Object.assign(globalThis, { mnemic, bytes, open, isWhole });
</script>`;

let project, browser, server;

before(async () => {
  project = await createProject({ "index.html": PAGE });
  server = await serve(project.folder);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
  await project?.remove();
});

/** A page of its own storage. */
async function newPage() {
  const context = await browser.newContext();
  const { page, complaints } = await openPage(context, server.url);
  await page.waitForFunction(() => "open" in globalThis);
  return { context, page, complaints };
}

const PLACES = [
  { storage: "indexeddb" },
  { storage: "indexeddb", worker: true },
  { storage: "opfs", worker: true },
];

for (const options of PLACES) {
  const place = `${options.storage}${options.worker ? " in a worker" : ""}`;

  test(`they come back from ${place} after a reload, and in a second tab`, async () => {
    const { context, page, complaints } = await newPage();
    const put = async (options) => {
      const { memory, user } = await open(options);
      await user.documents.put(["large"], "bytes", bytes);
      await user.documents.put(["large"], "text", { text: "Petrel is a sloop. ".repeat(800_000) });
      await user.documents.put(["large"], "small", { text: "A cello" });
      await memory.close();
    };
    await page.evaluate(put, options);
    const look = async (options) => {
      const { memory, user } = await open(options);
      const [found, text] = [await user.documents.get(["large"], "bytes"), await user.documents.get(["large"], "text")];
      const sizes = (await user.documents.list(["large"], { orderBy: "key" })).map(({ key, bytes }) => [key, bytes]);
      return { isWhole: isWhole(found), characters: text.value.text.length, sizes, ok: (await memory.verify()).ok };
    };
    const expected = { isWhole: true, characters: 15_200_000, sizes: [["bytes", 16 << 20], ["small", 18], ["text", 15_200_011]], ok: true };
    await page.reload();
    await page.waitForFunction(() => "open" in globalThis);
    assert.deepEqual(await page.evaluate(look, options), expected);
    const other = await openPage(context, server.url);
    await other.page.waitForFunction(() => "open" in globalThis);
    assert.deepEqual(await other.page.evaluate(look, options), expected);
    assert.deepEqual([complaints, other.complaints], [[], []]);
    await context.close();
  });

  test(`a page that ends while ${place} is written leaves the old one or the new one whole`, async () => {
    const { context, page } = await newPage();
    await page.evaluate(async (options) => {
      const { memory, user } = await open(options);
      await user.documents.put(["large"], "value", bytes);
      await memory.close();
    }, options);
    for (const number of [1, 2, 3]) {
      // It ends as soon as it has begun to write, whatever has come of it by then.
      await page.evaluate(async ([options, number]) => {
        const { user } = await open(options);
        const other = bytes.map((byte) => byte ^ number);
        const writing = user.documents.put(["large"], "value", other);
        if (number === 3) await writing;
      }, [options, number]);
      await page.reload();
      await page.waitForFunction(() => "open" in globalThis);
      const found = await page.evaluate(async ([options, number]) => {
        const { memory, user } = await open(options);
        const { data } = await user.documents.get(["large"], "value");
        const key = data[0] ^ bytes[0];
        const whole = data.byteLength === bytes.byteLength && data.every((byte, place) => byte === (bytes[place] ^ key));
        const { ok, damage } = await memory.verify();
        await memory.close();
        return { whole, isKnown: number === 3 ? key === 3 : key <= number, ok, damage };
      }, [options, number]);
      assert.deepEqual(found, { whole: true, isKnown: true, ok: true, damage: [] }, `after write ${number}`);
    }
    await context.close();
  });
}

test("localStorage has no room for them: they are refused, and what was there stays", async () => {
  const { context, page } = await newPage();
  const told = await page.evaluate(async () => {
    const { memory, user } = await open({ storage: "localstorage" });
    await user.documents.put(["large"], "value", { text: "A cello" });
    const error = await user.documents.put(["large"], "value", bytes).catch((error) => error);
    const { value, revision } = await user.documents.get(["large"], "value");
    await user.documents.put(["large"], "more", { text: "A sloop" });
    return { code: error.code, message: error.message, text: value.text, revision, ok: (await memory.verify()).ok };
  });
  assert.match(told.message, /free|room|full/);
  assert.deepEqual([told.code, told.text, told.revision, told.ok], ["QuotaExceeded", "A cello", 1, true]);
  await context.close();
});
