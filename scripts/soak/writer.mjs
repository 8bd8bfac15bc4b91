/**
 * A process that opens a memory in a folder, says what it found, and writes until it is killed.
 *
 *   node scripts/soak/writer.mjs FOLDER PACKAGE '{"storage": "sqlite", "encrypted": true}' CONFIRMED
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openDiary, writeOn } from "./diary.mjs";

const [, , folder, packageFolder, options, confirmed] = process.argv;

// Only what is written at once is out when the process is killed.
const tell = (line) => writeSync(1, `${line}\n`);

try {
  const fromPackage = (...path) => import(pathToFileURL(join(packageFolder, ...path)));
  const { openMemory } = await fromPackage("entry", "node.js");
  const { fileStorage, sqliteStorage } = await fromPackage("node", "index.js");
  const open = { files: () => fileStorage(join(folder, "diary")), sqlite: () => sqliteStorage(join(folder, "diary.db")) };
  const { storage: kind, ...others } = JSON.parse(options);
  const { user, found } = await openDiary(openMemory, { ...others, storage: await open[kind]() }, Number(confirmed));
  tell(`found ${JSON.stringify(found)}`);
  await writeOn(user, found.step, (step) => tell(`confirmed ${step}`));
} catch (error) {
  tell(`found ${JSON.stringify({ error: error.stack })}`);
}
