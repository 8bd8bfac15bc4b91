/** One connection of the graph: who, how, to whom, and the words it came from. */
import type { RelationItem } from "mnemic";
import { element } from "../page/element";
import { describeMoment } from "../page/moment";
import type { EntryView } from "./entry";
import { sources } from "./sources";
import type { Tools } from "./tools";

export interface Connection {
  readonly relation: RelationItem;
  readonly pinned: boolean;
}

/** `centre` is the entity that is looked at; the other one can be opened. */
export function relationView({ showSource }: Tools, centre: string, open: (name: string) => void): EntryView<Connection> {
  const end = (name: string): HTMLElement => (name === centre
    ? element("bdi", {}, name)
    : element("button", { type: "button", class: "link-button", dir: "auto", onclick: () => open(name) }, name));
  return {
    testId: () => "connection",
    entry: ({ relation, pinned }) => ({ id: relation.id, noun: "Connection", name: relationText(relation), pinned }),
    head: ({ relation: { from, relationType, to, validTo } }) => [
      element("p", { class: `grows value connection${validTo === undefined ? "" : " past"}` }, end(from), " ", element("span", { class: "relation-type", dir: "auto" }, inWords(relationType)), " ", end(to)),
    ],
    body: ({ relation: { validFrom, validTo, source } }) => [
      validTo !== undefined && element("p", { class: "hint" }, `True since ${describeMoment(validFrom)}, until ${describeMoment(validTo)}`),
      sources(source, showSource),
    ],
    words: ({ value }) => (isRelation(value) ? relationText(value) : undefined),
  };
}

/** The type of a relation as it is read: `works_at` is "works at". */
export function inWords(relationType: string): string {
  return relationType.replaceAll("_", " ");
}

type Ends = Pick<RelationItem, "from" | "relationType" | "to">;

function relationText({ from, relationType, to }: Ends): string {
  return `${from} ${inWords(relationType)} ${to}`;
}

function isRelation(value: unknown): value is Ends {
  return typeof value === "object" && value !== null && "relationType" in value;
}
