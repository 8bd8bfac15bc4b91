/** Items of a LangGraph store, as a search lists them: `{namespace, key, value, created_at, updated_at}`. */
import { isRecord } from "../plain.js";
import type { DocumentItem, Reader } from "./format.js";
import { begins, listIn, malformed, own, time } from "./shape.js";

export const langgraph: Reader = {
  format: "langgraph",
  recognises: (data) => begins(listIn(data, "items"), (item) => Array.isArray(item["namespace"]) && "key" in item && "value" in item),
  *read(data) {
    const name = Array.isArray(data) ? "" : "items";
    for (const [index, item] of (listIn(data, "items") ?? []).entries()) {
      const place = `${name}[${index}]`;
      yield document(item, place) ?? malformed(place, "an item has a namespace, which is a list of texts, a key and an object as its value");
    }
  },
};

function document(item: unknown, place: string): DocumentItem | undefined {
  const [namespace, key, value] = [own(item, "namespace"), own(item, "key"), own(item, "value")];
  const isNamespace = Array.isArray(namespace) && namespace.every((label) => typeof label === "string");
  if (!isNamespace || typeof key !== "string" || !isRecord(value)) return undefined;
  const updatedAt = time(own(item, "updated_at") ?? own(item, "updatedAt"));
  return { kind: "document", place, namespace, key, value, updatedAt };
}
