/**
 * How much WebAssembly memory many messages of a chat take where memory is short, as in an object of 128 MB, and how long opening and
 * the first calls take then. `RUNTIMES` names others than node-sqlite and workerd, `MESSAGES` another number than 200000; with `OWN`
 * vectors of 384 dimensions come from an application's embedder.
 */
import { Missing } from "../../scripts/missing.mjs";
import { say } from "../../scripts/log.mjs";
import { node } from "./support/runtimes/node.mjs";
import { workerd } from "./support/runtimes/workerd.mjs";

const STARTS = { "node-file": () => node("file"), "node-sqlite": () => node("sqlite"), workerd };
const RUNTIMES = (process.env.RUNTIMES || "node-sqlite,workerd").split(",");
const COUNT = Number(process.env.MESSAGES || 200_000);
const MAX_MEMORY_BYTES = 90 * 2 ** 20;
/** What an object on Cloudflare has. */
const MOST_MEGABYTES = 128;

/** What is told of each step. */
const FIGURES = {
  fill: [
    ["fill", "storing all", "ms"],
    ["counted", "counted for maxMemoryBytes", "MB"],
    ["stored", "stored", "MB"],
    ["used", "WebAssembly memory after storing all", "MB", MOST_MEGABYTES],
  ],
  use: [
    ["open", "openMemory", "ms"],
    ["first", "the first recall", "ms"],
    ["recall", "a recall", "ms"],
    ["remember", "remember of 2 messages", "ms"],
    ["forget", "forget of one message", "ms"],
    ["opened", "WebAssembly memory when open", "MB", MOST_MEGABYTES],
    ["recalled", "after the first recall", "MB", MOST_MEGABYTES],
    ["remembered", "after recalls and remember", "MB", MOST_MEGABYTES],
    ["used", "after forget", "MB", MOST_MEGABYTES],
  ],
};

export async function measure() {
  const rows = [];
  for (const name of RUNTIMES) {
    try {
      const runtime = await STARTS[name]();
      try {
        for (const doing of Object.keys(FIGURES)) {
          const answer = await runtime.run({ name: "messages", doing, count: COUNT, maxMemoryBytes: MAX_MEMORY_BYTES, isOwn: Boolean(process.env.OWN) });
          if (answer.error) throw new Error(`${runtime.name}, ${doing}: ${answer.error}`);
          say(`${runtime.name}, ${doing}: ${JSON.stringify(answer)}`);
          rows.push(...FIGURES[doing].map(([figure, what, unit, target]) => ({ name: `${runtime.name}: ${what}`, value: answer[figure], unit, target })));
        }
      } finally {
        await runtime.close();
      }
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      say(`${name} is not measured. ${error.message}`);
    }
  }
  return rows;
}
