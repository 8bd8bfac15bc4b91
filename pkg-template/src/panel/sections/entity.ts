/** One entity of the graph: what is known of it, a drawing of what is around it, and each connection with its words. */
import type { EntityItem, RelationItem } from "../../types.js";
import { Adder } from "../entries/adder.js";
import { EntryRow, type EntryView } from "../entries/entry.js";
import { partsEditor } from "../entries/parts-editor.js";
import { sources } from "../entries/sources.js";
import { valueEditor } from "../entries/value-editor.js";
import { element, fill } from "../page/element.js";
import { List } from "../page/list.js";
import type { Tools } from "../tools.js";
import { neighbourhood } from "./neighbourhood.js";
import { asType, type Connection, relationView } from "./relation.js";

const MOST_CONNECTIONS = 200;

interface ShownEntity extends EntityItem {
  readonly pinned: boolean;
}

export class EntityDetail {
  readonly name: string;
  readonly element = element("div", {});
  readonly #tools: Tools;
  readonly #open: (name: string) => void;
  readonly #drawing = element("div", {});
  readonly #connections: List<Connection>;
  readonly #heading = element("h4", { class: "section-heading" }, "");
  #row: EntryRow<ShownEntity> | undefined;
  #drawn = "";

  constructor(name: string, tools: Tools, open: (name: string) => void) {
    this.name = name;
    this.#tools = tools;
    this.#open = open;
    const view = relationView(tools, name, open);
    this.#connections = new List(element("ul", { class: "plain-list items", "data-testid": "connections" }), ({ relation }) => relation.id, (connection) => new EntryRow(connection, view, tools));
  }

  /** Shows it as it is now; false when it is not there any more. */
  async update(includeEnded: boolean): Promise<boolean> {
    const { user, words } = this.#tools;
    const around = await user.graph.neighbours({ names: [this.name] }).catch(() => undefined);
    const entity = around?.entities.find(({ depth }) => depth === 0);
    if (!around || !entity) return this.#row?.gone() ?? false;
    const [from, to, pins] = await Promise.all([
      user.graph.relations({ from: this.name, includeEnded, limit: MOST_CONNECTIONS }),
      user.graph.relations({ to: this.name, includeEnded, limit: MOST_CONNECTIONS }),
      user.items.list({ kinds: ["entity", "relation"], filter: { pinned: true }, limit: 1000 }),
    ]);
    const pinned = new Set(pins.map(({ id }) => id));
    const relations = [...new Map([...from, ...to].map((relation) => [relation.id, relation])).values()];
    const shown: ShownEntity = { ...entity, pinned: pinned.has(entity.id) };
    if (this.#row) this.#row.update(shown);
    else {
      this.#row = new EntryRow(shown, entityView(this.#tools), this.#tools, "div");
      fill(this.element, this.#row.element, this.#drawing, this.#heading, this.#connections.element, connectionAdder(this.name, this.#tools).element);
    }
    this.#heading.textContent = words.of(relations.length === 0 ? "noConnections" : "connections");
    this.#connections.show(relations.map((relation): Connection => ({ relation, pinned: pinned.has(relation.id) })));
    this.#draw(around.entities, around.relations);
    return true;
  }

  #draw(entities: readonly EntityItem[], relations: readonly RelationItem[]): void {
    const drawn = JSON.stringify([entities.map(({ name }) => name), relations.map(({ id }) => id)]);
    if (drawn === this.#drawn) return; // the focus stays where it is
    this.#drawn = drawn;
    const others = entities.filter(({ name }) => name !== this.name);
    fill(this.#drawing, others.length > 0 && neighbourhood(this.name, others, relations, this.#open, this.#tools.words));
  }
}

function connectionAdder(from: string, { changes, user, words }: Tools): Adder {
  return new Adder(words.of("addConnection"), (close) => partsEditor(
    words, { relationType: { label: words.of("howConnected", { name: from }), value: "" }, to: { label: words.of("connectedTo"), value: "" } },
    ({ relationType, to }) => changes.together("added", async () => {
      const { graph } = user;
      // What is named here for the first time begins with nothing but its name; what is there already stays as it is.
      await graph.create_entities({ entities: [{ name: to, entityType: "", observations: [] }] });
      await graph.create_relations({ relations: [{ from, relationType: asType(relationType), to }] });
    }),
    close,
  ));
}

function entityView(tools: Tools): EntryView<ShownEntity> {
  const { changes, user, words } = tools;
  return {
    testId: () => "opened-entity",
    entry: ({ id, name, pinned }) => ({ id, kind: "entity", name, pinned }),
    head: ({ name, entityType }) => [
      element("h3", { class: "entity-title", tabindex: -1, dir: "auto" }, name),
      entityType !== "" && element("span", { class: "chip", dir: "auto" }, entityType),
    ],
    body: ({ observations, aliases, source }) => [
      observations.length === 0
        ? element("p", { class: "hint" }, words.of("nothingElseKnown"))
        : element("ul", { class: "observations", "data-testid": "observations" }, ...observations.map((text) => element("li", { dir: "auto" }, text))),
      aliases && element("p", { class: "hint", dir: "auto" }, words.of("alsoCalled", { names: words.list(aliases.map(({ name }) => name)) })),
      sources(source.slice(-1), tools),
    ],
    editor: ({ name, entityType, observations }, close, isGone) => valueEditor(
      words, { label: words.of("knownAbout", { name }), value: observations, mayBeEmpty: true },
      (_, wanted) => changes.together("changed", async () => {
        const { graph } = user;
        if (isGone()) return void (await graph.create_entities({ entities: [{ name, entityType, observations: wanted }] }));
        const gone = observations.filter((text) => !wanted.includes(text));
        if (gone.length > 0) await graph.delete_observations({ deletions: [{ entityName: name, observations: gone }] });
        const added = wanted.filter((text) => !observations.includes(text));
        if (added.length > 0) await graph.add_observations({ observations: [{ entityName: name, contents: added }] });
      }),
      close,
    ),
  };
}
