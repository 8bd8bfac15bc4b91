/**
 * The package as snippets import it: every memory is fresh. One that a snippet takes for granted is kept in memory alone; one that it
 * opens itself is where it says, under a name of its own, and what an earlier run left there is deleted first.
 */
import { deleteMemory as remove, moveMemory as move, openMemory as open } from "../package/entry/browser.js";

export * from "../package/entry/browser.js";

let prefix = "docs";

/** Names of the memories that this run has stored. */
const stored = new Set();

/** Says whose memories the next ones are, so that snippets that run at once do not share any. */
export function begin(snippet) {
  prefix = `docs-${snippet}`;
}

/** The name under which a run stores a memory; the first time, what is there is deleted. */
async function own(name) {
  const whole = `${prefix}-${name}`;
  if (!stored.has(whole)) {
    stored.add(whole);
    await remove(whole);
  }
  return whole;
}

export async function openMemory(options) {
  const { name, storage } = options ?? {};
  if (name === "snippet") return open({ ...options, storage: "memory" });
  return open(typeof name === "string" && storage !== "memory" ? { ...options, name: await own(name) } : options);
}

export const deleteMemory = async (name, ...rest) => remove(await own(name), ...rest);

export const moveMemory = async (name, ...rest) => move(await own(name), ...rest);

/** Deletes what the run has stored. */
export async function cleanUp() {
  for (const name of stored) await remove(name);
}
