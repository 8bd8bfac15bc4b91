/** The package in Node, in memory: what the engine needs without a disk. */
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { at } from "../../scripts/project.mjs";
import { facts, messages, profile } from "./support/report.mjs";
import { forgetting } from "./support/forgetting.mjs";
import { guarding } from "./support/guarding.mjs";
import { summary } from "./support/timing.mjs";
import { transferring } from "./support/transferring.mjs";

const entry = at("pkg/entry/node.js");
const STARTS = 7;

/** Prints how long it took to import the package, and then until a memory was open. */
const starting = `
  const start = performance.now();
  const { openMemory } = await import(${JSON.stringify(entry)});
  const imported = performance.now();
  await openMemory({ name: "start", storage: "memory" });
  console.log(JSON.stringify([imported - start, performance.now() - imported]));
`;

export async function measure() {
  const { openMemory } = await import(entry);
  const starts = Array.from({ length: STARTS }, () =>
    JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", starting], { encoding: "utf8" })),
  );
  const runtime = { openMemory, openEngine };
  const options = { name: "bench", storage: "memory", durability: "relaxed" };
  const { rows, memory } = await facts(runtime, options, 10_000);
  await memory.close();
  return [
    { name: "import", ...summary(starts.map(([imported]) => imported)), unit: "ms" },
    { name: "first openMemory: compile and start", ...summary(starts.map(([, opened]) => opened)), unit: "ms" },
    ...(await profile(runtime)),
    ...rows,
    ...(await messages(runtime, options, 10_000)),
    ...(await messages(runtime, options, 100_000)),
    ...(await guarding(openMemory, options)),
    ...(await transferring(openMemory, options, 10_000)),
    ...(await forgetting(openMemory, options, 10_000)),
    ...(await forgetting(openMemory, options, 100_000)),
  ];
}

async function openEngine(configuration) {
  const { instances } = await import(at("pkg/instance.js"));
  const load = async (file) => WebAssembly.compile(await readFile(at("pkg", file)));
  const instance = await instances(load)();
  return instance.open(configuration);
}
