/**
 * The package as snippets import it: every memory is fresh. One that a snippet takes for granted is kept in memory alone; one that it
 * opens itself is where it says, and what an earlier run left there is deleted first.
 */
import { deleteMemory, openMemory as open } from "../package/entry/browser.js";

export * from "../package/entry/browser.js";

/** Names of the memories that this run has stored. */
const stored = new Set();

export async function openMemory(options) {
  const { name, storage } = options ?? {};
  if (name === "snippet") return open({ ...options, storage: "memory" });
  if (typeof name === "string" && storage !== "memory" && !stored.has(name)) {
    stored.add(name);
    await deleteMemory(name);
  }
  return open(options);
}

/** Deletes what the run has stored. */
export async function cleanUp() {
  for (const name of stored) await deleteMemory(name);
}
