/** Keeps the memory in this tab alone, for browsers that keep nothing for a page: it ends with the visit. */
import type { StorageObject } from "mnemic";

export function tabStorage(): StorageObject {
  const pairs = new Map<string, Uint8Array>();
  return {
    read: (start, end) => [...pairs].filter(([key]) => start <= key && key < end).sort(([one], [other]) => (one < other ? -1 : 1)),
    write({ puts, deletes }, expectedHead) {
      if (headCounter(pairs.get("head")) !== expectedHead) throw Object.assign(new Error("the head has moved"), { code: "Conflict" });
      for (const key of deletes) pairs.delete(key);
      for (const [key, value] of puts) pairs.set(key, value);
    },
  };
}

function headCounter(head: Uint8Array | undefined): number {
  return head ? Number(new DataView(head.buffer, head.byteOffset).getBigUint64(0, true)) : 0;
}
