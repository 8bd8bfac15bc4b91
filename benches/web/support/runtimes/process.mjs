/** Runs one step in this process: `node process.mjs FOLDER STEP`. */
import { join } from "node:path";
import { run } from "./work.mjs";

const [, , folder, step] = process.argv;
const entry = (path) => import(new URL(`../../../../pkg/${path}`, import.meta.url));
const { sqliteStorage } = await entry("node/index.js");
const runtime = {
  import: () => entry("entry/node.js"),
  storage: (name) => ({ storage: sqliteStorage(join(folder, `${name}.db`)) }),
};
process.stdout.write(JSON.stringify(await run(runtime, JSON.parse(step))));
