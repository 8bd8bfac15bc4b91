/** The package in Node, in memory: what the engine needs without a disk. What every runtime is asked is in runtimes.mjs. */
import { at } from "../../scripts/project.mjs";
import { messages } from "./support/report.mjs";
import { forgetting } from "./support/forgetting.mjs";
import { guarding } from "./support/guarding.mjs";
import { transferring } from "./support/transferring.mjs";

export async function measure() {
  const { openMemory } = await import(at("pkg/entry/node.js"));
  const options = { name: "bench", storage: "memory", durability: "relaxed" };
  return [
    ...(await messages({ openMemory }, options, 10_000)),
    ...(await messages({ openMemory }, options, 100_000)),
    ...(await guarding(openMemory, options)),
    ...(await transferring(openMemory, options, 10_000)),
    ...(await forgetting(openMemory, options, 10_000)),
    ...(await forgetting(openMemory, options, 100_000)),
  ];
}
