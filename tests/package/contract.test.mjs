/** The contract of storages finds no fault in a storage that keeps it, and finds those of storages that do not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, checkHead, mapStorage, range } from "../../scripts/map-storage.mjs";
import { broken } from "./support/contract.mjs";

/** Storages by name, each over a Map of its own. */
function opener(storage) {
  const kept = new Map();
  return (name) => {
    if (!kept.has(name)) kept.set(name, new Map());
    return storage(kept.get(name));
  };
}

test("a storage in a Map keeps it", async () => assert.deepEqual(await broken(opener(mapStorage)), {}));

/** What goes wrong in each, and how many promises that breaks at least. */
const FAULTS = {
  "it compares no head": (pairs) => ({ ...mapStorage(pairs), write: async (batch) => apply(pairs, batch) }),
  "it writes before it compares": (pairs) => ({
    ...mapStorage(pairs),
    async write(batch, head) {
      const before = new Map(pairs);
      apply(pairs, batch);
      checkHead(before, head);
    },
  }),
  "it deletes nothing": (pairs) => ({ ...mapStorage(pairs), write: (batch, head) => mapStorage(pairs).write({ ...batch, deletes: [] }, head) }),
  "it orders as people do": (pairs) => ({
    ...mapStorage(pairs),
    read: async (start, end) => range(pairs, start, end).sort(([a], [b]) => a.localeCompare(b, "en")),
  }),
  "its ranges take the end": (pairs) => ({ ...mapStorage(pairs), read: async (start, end) => range(pairs, start, `${end}\0`) }),
  "it forgets what was closed": (pairs) => ({ ...mapStorage(pairs), close: () => pairs.clear() }),
  "it loses the last byte of large values": (pairs) => ({
    ...mapStorage(pairs),
    read: async (start, end) => range(pairs, start, end).map(([key, value]) => [key, value.subarray(0, Math.min(value.length, 1 << 20))]),
  }),
  "it reads a piece from the wrong place": (pairs) => ({
    ...mapStorage(pairs),
    readAt: (key, offset, length) => pairs.get(key)?.subarray(offset + 1, offset + 1 + length),
  }),
};

for (const [name, storage] of Object.entries(FAULTS)) {
  test(`found: ${name}`, async () => assert.notDeepEqual(Object.keys(await broken(opener(storage))), []));
}
