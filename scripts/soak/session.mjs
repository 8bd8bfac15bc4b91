/** A session of an app with everything that writes, of which each step may fail. */
import { key, read, take, wholeness } from "./diary.mjs";

/** What is looked at: the entries and the count of the diary, and what another scope got from an import. */
const NAMES = [1, 2, 5, 9, 10, 13].map((step) => `entry-${step}`);

/** What there is before the first step. */
export const NOTHING = { ...Object.fromEntries(NAMES.map((name) => [name, "absent"])), count: 0, imported: "nothing" };

/** Opens the memory of the session. */
export function openSession(openMemory, storage, options = {}) {
  return openMemory({ name: "session", extraction: { auto: false }, storage, ...options });
}

/** What is there. */
export async function look(memory) {
  const [alice, bob] = await Promise.all([read(memory.scope({ userId: "alice" })), read(memory.scope({ userId: "bob" }))]);
  return {
    ...Object.fromEntries(NAMES.map((name) => [name, wholeness(name, alice.threads[name])])),
    count: alice.count,
    imported: listed(Object.fromEntries(Object.keys(bob.threads).map((name) => [name, wholeness(name, bob.threads[name])])), bob.count),
  };
}

/**
 * The steps between an opening and the next: `run` does one, and `leaves` says what is different afterwards.
 *
 * @type {Array<(memory: import("mnemic").Memory) => Array<{leaves: () => object, run: () => Promise<unknown>}>>}
 */
export const PARTS = [
  (memory) => {
    const alice = memory.scope({ userId: "alice" });
    return [
      { leaves: () => ({ "entry-1": "whole" }), run: () => take(alice, 1) },
      { leaves: () => ({ "entry-2": "whole" }), run: () => take(alice, 2) },
      { leaves: () => ({ count: 3 }), run: () => take(alice, 3) },
      { leaves: () => ({ "entry-2": "absent" }), run: () => take(alice, 4) },
      { leaves: () => ({ "entry-5": "whole" }), run: () => take(alice, 5) },
    ];
  },
  (memory) => {
    const alice = memory.scope({ userId: "alice" });
    const bob = memory.scope({ userId: "bob" });
    let before, file;
    return [
      { leaves: () => ({ count: 7 }), run: () => take(alice, 7) },
      { leaves: () => ({}), run: async () => memory.encryption.change({ key: await key() }) },
      { leaves: () => ({ "entry-9": "whole" }), run: () => take(alice, 9) },
      { leaves: () => ({}), run: async () => ([before, file] = [await look(memory), await bytes(alice.export())]) },
      { leaves: () => ({ imported: listed(before, before.count) }), run: () => bob.import(file) },
      { leaves: () => ({}), run: async () => ([before, file] = [await look(memory), await bytes(memory.export())]) },
      { leaves: () => ({ "entry-10": "whole" }), run: () => take(alice, 10) },
      { leaves: () => before, run: () => memory.import(file, { mode: "replace" }) },
    ];
  },
  (memory) => {
    const alice = memory.scope({ userId: "alice" });
    const bob = memory.scope({ userId: "bob" });
    return [
      { leaves: () => ({ imported: "nothing" }), run: () => bob.forget({ scope: true }) },
      { leaves: () => ({ "entry-13": "whole" }), run: () => take(alice, 13) },
      { leaves: () => ({ "entry-9": "absent" }), run: () => alice.forget({ threadId: "entry-9" }) },
      { leaves: () => ({}), run: () => memory.encryption.remove() },
      { leaves: () => ({ count: 15 }), run: () => take(alice, 15) },
    ];
  },
];

const bytes = (stream) => new Response(stream).blob();

/** The entries that are there, with the count, in words. */
function listed(states, count) {
  const names = NAMES.filter((name) => (states[name] ?? "absent") !== "absent").map((name) => `${name} ${states[name]}`);
  return names.length === 0 && count === 0 ? "nothing" : [...names, `count ${count}`].join(", ");
}
