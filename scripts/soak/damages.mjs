/** What may happen to the files of Chromium's IndexedDB while it is closed. */
import { appendFile, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Where Chromium keeps the IndexedDB of the default bucket, below the profile. */
const DATABASES = join("Default", "IndexedDB");

/** The header of a LevelDB record without its payload. */
const TORN = Buffer.from([0x11, 0x22, 0x33, 0x44, 0x40, 0x00, 0x01]);

const remove = (file) => rm(file);
const empty = (file) => truncate(file, 0);
const cut = (file, size) => truncate(file, Math.max(0, size - 10));
const halve = (file, size) => truncate(file, size >> 1);
const zero = (file, size) => writeFile(file, Buffer.alloc(size));

/** Which files each kind of damage touches, and what it does to each of them. */
export const DAMAGES = {
  "CURRENT deleted": [/CURRENT$/, remove],
  "CURRENT emptied": [/CURRENT$/, empty],
  "MANIFEST deleted": [/MANIFEST-/, remove],
  "MANIFEST cut by 10 bytes": [/MANIFEST-/, cut],
  "MANIFEST cut in half": [/MANIFEST-/, halve],
  "MANIFEST emptied": [/MANIFEST-/, empty],
  "MANIFEST with zeros": [/MANIFEST-/, zero],
  "log deleted": [/\.log$/, remove],
  "log cut by 10 bytes": [/\.log$/, cut],
  "log cut in half": [/\.log$/, halve],
  "log emptied": [/\.log$/, empty],
  // What a kill leaves between the two writes of a record: its header (any checksum, 64 bytes, whole) and nothing behind it.
  "log with a torn record": [/\.log$/, (file) => appendFile(file, TORN)],
  "log with zeros": [/\.log$/, zero],
  "tables deleted": [/\.ldb$/, remove],
  "tables cut in half": [/\.ldb$/, halve],
  "database deleted": [/./, remove],
};

/** Damages the databases of a profile, and answers how many files it touched. */
export async function damage(profile, kind) {
  const folder = join(profile, DATABASES);
  const [pattern, change] = DAMAGES[kind];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const touched = paths.filter((path) => pattern.test(path));
  for (const path of touched) await change(path, (await stat(path)).size);
  return touched.length;
}
