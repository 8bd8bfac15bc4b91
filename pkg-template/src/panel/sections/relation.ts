/** One connection of the graph: who, how, to whom, and the words it came from. */
import type { RelationItem } from "../../types.js";
import type { EntryView } from "../entries/entry.js";
import { partsEditor } from "../entries/parts-editor.js";
import { sources } from "../entries/sources.js";
import { element } from "../page/element.js";
import type { Tools } from "../tools.js";

export interface Connection {
  readonly relation: RelationItem;
  readonly pinned: boolean;
}

/** `centre` is the entity that is looked at; the other one can be opened. */
export function relationView(tools: Tools, centre: string, open: (name: string) => void): EntryView<Connection> {
  const { changes, user, words } = tools;
  const end = (name: string): HTMLElement => (name === centre
    ? element("bdi", {}, name)
    : element("button", { type: "button", class: "link-button", dir: "auto", onclick: () => open(name) }, name));
  const noLongerTrue = (relation: RelationItem): void =>
    void changes.make("markedPast", () => user.graph.endRelations({ relations: [ends(relation)] }));
  return {
    testId: () => "connection",
    entry: ({ relation, pinned }) => ({ id: relation.id, kind: "relation", name: relationText(relation), pinned }),
    head: ({ relation: { from, relationType, to, validTo } }) => [
      element("p", { class: `grows value connection${validTo === undefined ? "" : " past"}` }, end(from), " ", element("span", { class: "relation-type", dir: "auto" }, inWords(relationType)), " ", end(to)),
    ],
    body: ({ relation }) => [
      relation.validTo === undefined
        ? element("button", { type: "button", class: "link-button quiet", "data-testid": "end-connection", onclick: () => noLongerTrue(relation) }, words.of("noLongerTrue"))
        : element("p", { class: "hint" }, words.of("trueFromUntil", { from: words.time(relation.validFrom), until: words.time(relation.validTo) })),
      sources(relation.source, tools),
    ],
    editor: ({ relation }, close, isGone) => partsEditor(
      words, { relationType: { label: words.of("howConnectedTo", { from: relation.from, to: relation.to }), value: inWords(relation.relationType) } },
      ({ relationType }) => changes.together("changed", async () => {
        const isSame = relationType === inWords(relation.relationType);
        if (isSame && !isGone()) return;
        const { graph } = user;
        await graph.create_relations({ relations: [{ ...ends(relation), relationType: asType(relationType) }] });
        if (!isSame) await graph.delete_relations({ relations: [ends(relation)] });
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
