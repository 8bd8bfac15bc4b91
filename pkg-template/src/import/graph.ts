/** `memory.jsonl`: a knowledge graph as lines of JSON, or the same lines parsed, or `{entities, relations}`. */
import type { LineItem, Reader } from "./format.js";
import { begins, json, listIn, own } from "./shape.js";

const TYPES: readonly unknown[] = ["entity", "relation"];

export const graph: Reader = {
  format: "memory.jsonl",
  recognises: (data) => {
    if (typeof data === "string") return data.split("\n", 100).some((line) => isLine(parsed(line)));
    return isLine(data) || begins(listIn(data), isLine) || isWhole(data);
  },
  *read(data) {
    // Relations need their ends, so entities go first, whatever the order of the lines.
    const lines = [...linesOf(data)];
    const isRelation = ({ line }: LineItem): boolean => own(parsed(line), "type") === "relation";
    yield* lines.filter((line) => !isRelation(line));
    yield* lines.filter(isRelation);
  },
};

const isLine = (value: unknown): boolean => TYPES.includes(own(value, "type"));
const isWhole = (data: unknown): boolean => Array.isArray(own(data, "entities")) && Array.isArray(own(data, "relations"));

function* linesOf(data: unknown): Iterable<LineItem> {
  if (typeof data === "string") {
    for (const [index, line] of data.split("\n").entries()) {
      if (line.trim() !== "") yield { kind: "line", place: `line ${index + 1}`, line };
    }
  } else if (isWhole(data)) {
    for (const [name, type] of [["entities", "entity"], ["relations", "relation"]] as const) {
      for (const [index, item] of (listIn(own(data, name)) ?? []).entries()) {
        yield { kind: "line", place: `${name}[${index}]`, line: json({ ...(item as object), type }) ?? "" };
      }
    }
  } else {
    for (const [index, item] of (listIn(data) ?? [data]).entries()) {
      yield { kind: "line", place: `[${index}]`, line: json(item) ?? "" };
    }
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The engine says what is wrong with it, when it is imported.
    return undefined;
  }
}
