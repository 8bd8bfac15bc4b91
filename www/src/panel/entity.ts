/** One entity of the graph: what is known of it, a drawing of what is around it, and each connection with its words. */
import type { EntityItem, RelationItem } from "mnemic";
import { element, fill } from "../page/element";
import { List } from "../page/list";
import { Adder } from "./adder";
import { EntryRow, type EntryView } from "./entry";
import { neighbourhood } from "./neighbourhood";
import { partsEditor } from "./parts-editor";
import { asType, type Connection, relationView } from "./relation";
import { sources } from "./sources";
import type { Tools } from "./tools";
import { valueEditor } from "./value-editor";

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
  readonly #heading = element("h4", { class: "section-heading" }, "Connections");
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
    const { user } = this.#tools.session;
    const around = await user.graph.neighbours({ names: [this.name] }).catch(() => undefined);
    const entity = around?.entities.find(({ depth }) => depth === 0);
    if (!around || !entity) return false;
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
    this.#heading.textContent = relations.length === 0 ? "No connections" : "Connections";
    this.#connections.show(relations.map((relation): Connection => ({ relation, pinned: pinned.has(relation.id) })));
    this.#draw(around.entities, around.relations);
    return true;
  }

  #draw(entities: readonly EntityItem[], relations: readonly RelationItem[]): void {
    const drawn = JSON.stringify([entities.map(({ name }) => name), relations.map(({ id }) => id)]);
    if (drawn === this.#drawn) return; // the focus stays where it is
    this.#drawn = drawn;
    const others = entities.filter(({ name }) => name !== this.name);
    fill(this.#drawing, others.length > 0 && neighbourhood(this.name, others, relations, this.#open));
  }
}

function connectionAdder(from: string, { session, changes }: Tools): Adder {
  return new Adder("Add a connection", (close) => partsEditor(
    { relationType: { label: `How is ${from} connected?`, value: "" }, to: { label: "With whom or what?", value: "" } },
    ({ relationType, to }) => changes.together("Connection added.", async () => {
      const { graph } = session.user;
      // What is named here for the first time begins with nothing but its name; what is there already stays as it is.
      await graph.create_entities({ entities: [{ name: to, entityType: "", observations: [] }] });
      await graph.create_relations({ relations: [{ from, relationType: asType(relationType), to }] });
    }),
    close,
  ));
}

function entityView({ session, changes, showSource }: Tools): EntryView<ShownEntity> {
  return {
    testId: () => "opened-entity",
    entry: ({ id, name, pinned }) => ({ id, noun: "Entry", name, pinned }),
    head: ({ name, entityType }) => [
      element("h3", { class: "entity-title", tabindex: -1, dir: "auto" }, name),
      entityType !== "" && element("span", { class: "chip", dir: "auto" }, entityType),
    ],
    body: ({ observations, aliases, source }) => [
      observations.length === 0
        ? element("p", { class: "hint" }, "Nothing else is known about it.")
        : element("ul", { class: "observations", "data-testid": "observations" }, ...observations.map((text) => element("li", { dir: "auto" }, text))),
      aliases && element("p", { class: "hint", dir: "auto" }, `Also called ${aliases.map(({ name }) => name).join(", ")}`),
      sources(source.slice(-1), showSource),
    ],
    editor: ({ name, observations }, close) => valueEditor(
      { label: `What is known about ${name}`, value: observations, mayBeEmpty: true },
      (value) => changes.together("Entry changed.", async () => {
        const { graph } = session.user;
        const wanted = [value].flat();
        const gone = observations.filter((text) => !wanted.includes(text));
        if (gone.length > 0) await graph.delete_observations({ deletions: [{ entityName: name, observations: gone }] });
        const added = wanted.filter((text) => !observations.includes(text));
        if (added.length > 0) await graph.add_observations({ observations: [{ entityName: name, contents: added }] });
      }),
      close,
    ),
  };
}
