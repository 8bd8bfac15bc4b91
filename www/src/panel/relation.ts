/** One connection of the graph: who, how, to whom, and the words it came from. */
import type { RelationItem } from "mnemic";
import { element } from "../page/element";
import { describeMoment } from "../page/moment";
import type { EntryView } from "./entry";
import { partsEditor } from "./parts-editor";
import { sources } from "./sources";
import type { Tools } from "./tools";

export interface Connection {
  readonly relation: RelationItem;
  readonly pinned: boolean;
}

/** `centre` is the entity that is looked at; the other one can be opened. */
export function relationView({ session, changes, showSource }: Tools, centre: string, open: (name: string) => void): EntryView<Connection> {
  const end = (name: string): HTMLElement => (name === centre
    ? element("bdi", {}, name)
    : element("button", { type: "button", class: "link-button", dir: "auto", onclick: () => open(name) }, name));
  const noLongerTrue = (relation: RelationItem): void =>
    void changes.make("Marked as no longer true.", "Could not change this.", () => session.user.graph.endRelations({ relations: [ends(relation)] }));
  return {
    testId: () => "connection",
    entry: ({ relation, pinned }) => ({ id: relation.id, noun: "Connection", name: relationText(relation), pinned }),
    head: ({ relation: { from, relationType, to, validTo } }) => [
      element("p", { class: `grows value connection${validTo === undefined ? "" : " past"}` }, end(from), " ", element("span", { class: "relation-type", dir: "auto" }, inWords(relationType)), " ", end(to)),
    ],
    body: ({ relation }) => [
      relation.validTo === undefined
        ? element("button", { type: "button", class: "link-button quiet", "data-testid": "end-connection", onclick: () => noLongerTrue(relation) }, "No longer true")
        : element("p", { class: "hint" }, `True since ${describeMoment(relation.validFrom)}, until ${describeMoment(relation.validTo)}`),
      sources(relation.source, showSource),
    ],
    editor: ({ relation }, close) => partsEditor(
      { relationType: { label: `How ${relation.from} is connected to ${relation.to}`, value: inWords(relation.relationType) } },
      ({ relationType }) => changes.together("Connection changed.", async () => {
        if (relationType === inWords(relation.relationType)) return;
        const { graph } = session.user;
        await graph.create_relations({ relations: [{ ...ends(relation), relationType: asType(relationType) }] });
        await graph.delete_relations({ relations: [ends(relation)] });
      }),
      close,
    ),
    words: ({ value }) => (isRelation(value) ? relationText(value) : undefined),
  };
}

/** The type of a relation as it is read: `works_at` is "works at". */
export function inWords(relationType: string): string {
  return relationType.replaceAll("_", " ");
}

/** The words that were written as the type of a relation. */
export function asType(words: string): string {
  return words.trim().replaceAll(/\s+/g, "_");
}

type Ends = Pick<RelationItem, "from" | "relationType" | "to">;

function ends({ from, relationType, to }: RelationItem): Ends {
  return { from, relationType, to };
}

function relationText({ from, relationType, to }: Ends): string {
  return `${from} ${inWords(relationType)} ${to}`;
}

function isRelation(value: unknown): value is Ends {
  return typeof value === "object" && value !== null && "relationType" in value;
}
