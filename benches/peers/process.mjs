/** A process for one subject: steps come as messages, and answers go back. `node process.mjs SUBJECT AXIS COUNT FOLDER [DATA]` */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readEnglish } from "./english.mjs";
import { explain, session } from "./session.mjs";

const [, , name, axis, count, folder, set] = process.argv;

const kit = {
  isPage: false,
  folder,
  bytes: (path) => readFile(join(import.meta.dirname, "node_modules", path)),
  memory() {
    gc();
    gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
};

const { default: subject } = await import(`./subjects/${name}.mjs`);
const steps = session(subject, axis, Number(count), kit, set === undefined ? undefined : readEnglish(set));

process.on("message", async ({ step, given }) => {
  try {
    process.send(await steps[step](given ?? {}));
  } catch (error) {
    process.send({ error: explain(error) });
  }
});
process.send("ready");
