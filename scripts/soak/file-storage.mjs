/**
 * A storage in a folder of files, one per key, that a kill at any moment leaves whole: a batch is written to a journal first, then to
 * its files, and a journal that is there when the folder is opened is written to its files again. For one process at a time.
 */
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { apply, checkHead, range } from "../map-storage.mjs";

const JOURNAL = "journal";
const UNFINISHED = "journal.new";

/** Opens the folder. @returns {Promise<import("mnemic").StorageObject>} */
export async function fileStorage(folder) {
  const values = join(folder, "values");
  await mkdir(values, { recursive: true });
  const fileOf = (key) => join(values, encodeURIComponent(key));
  const journal = await readFile(join(folder, JOURNAL), "utf8").catch(unlessMissing);
  if (journal !== undefined) await finish(JSON.parse(journal));
  const pairs = new Map();
  for (const name of await readdir(values)) pairs.set(decodeURIComponent(name), new Uint8Array(await readFile(join(values, name))));

  async function finish({ puts, deletes }) {
    for (const key of deletes) await rm(fileOf(key), { force: true });
    for (const [key, value] of puts) await writeDurably(fileOf(key), Buffer.from(value, "base64"));
    await sync(values);
    await rm(join(folder, JOURNAL));
    await sync(folder);
  }

  return {
    async read(start, end) {
      return range(pairs, start, end);
    },
    async write(batch, expectedHead) {
      checkHead(pairs, expectedHead);
      const entry = { puts: batch.puts.map(([key, value]) => [key, Buffer.from(value).toString("base64")]), deletes: batch.deletes };
      await writeDurably(join(folder, UNFINISHED), JSON.stringify(entry));
      await rename(join(folder, UNFINISHED), join(folder, JOURNAL));
      await sync(folder);
      // From here on the batch is stored, whatever happens.
      await finish(entry);
      apply(pairs, batch);
    },
  };
}

/** Writes a file and waits until it is on the disk. */
async function writeDurably(path, content) {
  const file = await open(path, "w");
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waits until the names in a folder are on the disk. */
async function sync(folder) {
  const file = await open(folder);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function unlessMissing(error) {
  if (error.code !== "ENOENT") throw error;
}
