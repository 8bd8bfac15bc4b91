/** Runs one step in this process: `node process.mjs FOLDER STEP STORAGE`. */
import { join } from "node:path";
import { run } from "./work.mjs";

const [, , folder, step, kind] = process.argv;
const entry = (path) => import(new URL(`../../../../pkg/${path}`, import.meta.url));
const { fileStorage, sqliteStorage } = await entry("node/index.js");
const storages = {
  file: (name) => fileStorage(join(folder, `${name}.mnemic`)),
  sqlite: (name) => sqliteStorage(join(folder, `${name}.db`)),
};
const runtime = {
  import: () => entry("entry/node.js"),
  storage: (name) => ({ storage: storages[kind](name) }),
};
process.stdout.write(JSON.stringify(await run(runtime, JSON.parse(step))));
