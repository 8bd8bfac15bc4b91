/** What is searched, and how many records of each kind there are. */
import { element, fill } from "../../panel/page/element.js";
import type { Inspection } from "../../types.js";
import { bytes, number } from "../numbers.js";
import { pairs, table } from "../table.js";
import type { Section } from "./section.js";

export class IndexesSection implements Section {
  readonly element = element("section", { tabindex: 0, "data-testid": "indexes" });

  update({ indexes, records }: Inspection): undefined {
    const { words, vectors, graph } = indexes;
    const { dimensions } = vectors;
    fill(this.element,
      pairs([
        ["Words", `${number(words.texts)} texts, ${number(words.terms)} terms, ${number(words.postings)} postings, ${bytes(words.bytes)}`],
        ["Vectors", `${number(vectors.count)}${dimensions === undefined ? "" : ` of ${number(dimensions)} dimensions`}, ${bytes(vectors.bytes)}`],
        ["Embedder", vectors.embedder],
        ["Waiting for a vector", number(vectors.waiting)],
        ["Graph", `${number(graph.entities)} entities, ${number(graph.relations)} relations, ${bytes(graph.bytes)}`],
      ]),
      table("Records", ["Kind", "Living"], Object.entries(records).map(([kind, count]) => [kind, number(count)])));
  }
}
