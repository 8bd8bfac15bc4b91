/** Memories of mem0, as `get_all` and exports list them. */
import { isRecord } from "../plain.js";
import type { FactItem, Reader } from "./format.js";
import { begins, defined, listIn, malformed, own, text, time } from "./shape.js";

export const mem0: Reader = {
  format: "mem0",
  recognises: (data) => begins(memories(data), (item) => typeof item["memory"] === "string" && !("namespace" in item)),
  *read(data) {
    const name = Array.isArray(data) ? "" : Array.isArray(own(data, "results")) ? "results" : "memories";
    for (const [index, memory] of (memories(data) ?? []).entries()) {
      const place = `${name}[${index}]`;
      yield fact(memory, place) ?? malformed(place, "a memory has a text under memory");
    }
  },
};

const memories = (data: unknown): readonly unknown[] | undefined => listIn(data, "results", "memories");

function fact(memory: unknown, place: string): FactItem | undefined {
  const words = text(own(memory, "memory"));
  if (words === undefined) return undefined;
  const sourceId = text(own(memory, "id"));
  const metadata = own(memory, "metadata");
  const categories = own(memory, "categories");
  return {
    kind: "fact",
    place,
    sourceId,
    fact: defined({
      text: words,
      metadata: defined({
        ...(isRecord(metadata) && metadata),
        categories: Array.isArray(categories) && categories.length > 0 ? categories : undefined,
        source: "mem0",
        sourceId,
      }),
      validFrom: time(own(memory, "created_at")),
      // When it was said, which is not since when it is true.
      dates: {},
      expiresAt: time(own(memory, "expiration_date")),
    }),
  };
}
