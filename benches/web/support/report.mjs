/** The rows of the report, from what the workload measured. Times are milliseconds. */
import { scanVectors, searchWords } from "./peers.mjs";
import * as workload from "./workload.mjs";

const microseconds = ({ value, p95 }) => ({ value: value * 1000, p95: p95 * 1000, unit: "us" });
const milliseconds = ({ value, p95 }) => ({ value, p95, unit: "ms" });

/** How often calls are repeated that answer at once, that search, that write. */
const QUICK = 500;
const SEARCHES = 100;
const ADDITIONS = 50;

/** A profile of 20 fields. */
export async function profile({ openMemory, openEngine }) {
  const { whole, door, copying } = await workload.profile(openMemory, openEngine, QUICK);
  const peer = { name: "its JSON written and parsed", value: copying.value * 1000 };
  return [
    { name: "profiles.get of 20 fields, in the engine", ...microseconds(door), target: 50, peer },
    { name: "profiles.get of 20 fields", ...microseconds(whole), peer },
  ];
}

/** 10 000 facts: filling, adding one more, recalling, searching. Answers the rows and the open memory. */
export async function facts({ openMemory }, options, count) {
  const filled = await workload.fillWithFacts(openMemory, options, count);
  const { recall, search } = await workload.recalling(filled, SEARCHES);
  const adding = await workload.addingFacts(filled.user, count, ADDITIONS);
  const target = workload.targetOf(count);
  const both = (await searchWords(count, SEARCHES, target)) + (await scanVectors(count, SEARCHES, target));
  const peer = { name: "MiniSearch and a flat scan", value: both };
  const kept = `${options.storage}, ${options.durability}`;
  const many = `${count / 1000}k facts`;
  const rows = [
    { name: `recall over ${many}, hybrid, 384 dimensions`, ...milliseconds(recall), target: 3, peer },
    { name: `facts.search over ${many}, hybrid, 384 dimensions`, ...milliseconds(search), peer },
    { name: `facts.add to ${many}, ${kept}`, ...milliseconds(adding) },
    { name: `facts.add of ${many}, ${kept}`, value: filled.time, unit: "ms" },
  ];
  return { rows, ...filled };
}

/** Importing facts with vectors of 384 dimensions. */
export async function importing({ openMemory }, options, count) {
  const value = await workload.importing(openMemory, options, count);
  const name = `facts.import of ${count / 1000}k facts with vectors, ${options.storage}, ${options.durability}`;
  return [{ name, value, unit: "ms", target: 3000 }];
}

/** Messages: filling, searching. */
export async function messages({ openMemory }, options, count) {
  const filled = await workload.fillWithMessages(openMemory, options, count);
  const search = await workload.searchingMessages(filled, SEARCHES);
  await filled.memory.close();
  const words = await searchWords(count, SEARCHES, workload.targetOf(count));
  const kept = `${options.storage}, ${options.durability}`;
  const many = `${count / 1000}k messages`;
  return [
    { name: `remember of ${many}, ${kept}`, value: filled.time, unit: "ms" },
    { name: `threads.search over ${many}, built-in embedder`, ...milliseconds(search), peer: { name: "MiniSearch", value: words } },
  ];
}
