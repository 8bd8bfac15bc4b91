/** A storage in a Map, as an app would write one. */

/** Its `pairs` are what it holds. @returns {import("mnemic").StorageObject & {pairs: Map<string, Uint8Array>}} */
export function mapStorage(pairs = new Map()) {
  return {
    pairs,
    async read(start, end) {
      return range(pairs, start, end);
    },
    async write(batch, expectedHead) {
      checkHead(pairs, expectedHead);
      apply(pairs, batch);
    },
  };
}

/** What a read of these keys answers. */
export function range(pairs, start, end) {
  const found = [...pairs].filter(([key]) => start <= key && key < end);
  return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, value.slice()]);
}

/** Throws the conflict that a write has to meet when the head is another than expected. */
export function checkHead(pairs, expectedHead) {
  const head = pairs.get("head");
  const counter = head ? Number(new DataView(head.buffer, head.byteOffset).getBigUint64(0, true)) : 0;
  if (counter !== expectedHead) throw Object.assign(new Error("the head has moved"), { code: "Conflict" });
}

/** Does what a batch says. */
export function apply(pairs, { puts, deletes }) {
  for (const key of deletes) pairs.delete(key);
  for (const [key, value] of puts) pairs.set(key, value.slice());
}
