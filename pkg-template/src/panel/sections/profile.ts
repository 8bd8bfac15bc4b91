/** The profiles: what is known first, then what could be. */
import type { JsonSchema } from "../../schema.js";
import type { ProfileField } from "../../types.js";
import { EntryRow } from "../entries/entry.js";
import { element } from "../page/element.js";
import { List } from "../page/list.js";
import type { Tools } from "../tools.js";
import { fieldView, type ShownField } from "./field.js";
import type { Section, Standing } from "./section.js";

export class ProfileSection implements Section {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #fields: List<ShownField>;
  readonly #hint: HTMLElement;

  constructor(tools: Tools) {
    this.#tools = tools;
    const view = fieldView(tools);
    this.#fields = new List(element("ul", { class: "plain-list items" }), ({ profile, name }) => `${profile}/${name}`, (shown) => new EntryRow(shown, view, tools));
    this.#hint = element("p", { class: "hint", hidden: true }, tools.words.of("noProfile"));
    this.element = element("section", { "data-testid": "profile" }, this.#hint, this.#fields.element);
  }

  async update(): Promise<Standing> {
    const profiles: Record<string, { fields: Record<string, ProfileField | undefined> }> = await this.#tools.user.profiles.get();
    const shown = Object.entries(profiles).flatMap(([profile, { fields }]) => {
      const schemas = propertiesOf(this.#tools.settings.profiles?.[profile]);
      const names = new Set([...Object.keys(schemas), ...Object.keys(fields)]);
      return [...names].map((name): ShownField => ({ profile, name, label: labelOf(name, schemas[name]), schema: schemas[name], field: fields[name] }));
    });
    const known = shown.filter(({ field }) => field);
    this.#hint.hidden = known.length > 0;
    this.#fields.show([...known, ...shown.filter(({ field }) => !field)]);
    return { count: known.length };
  }

  async reveal(id: string): Promise<HTMLElement | undefined> {
    return this.element.querySelector<HTMLElement>(`#item-${CSS.escape(id)}`) ?? undefined;
  }
}

function propertiesOf(schema: JsonSchema | undefined): Record<string, JsonSchema | undefined> {
  return (schema?.["properties"] ?? {}) as Record<string, JsonSchema | undefined>;
}

/** The title that the app gives the field, or its name as words. */
function labelOf(name: string, schema: JsonSchema | undefined): string {
  const title = schema?.["title"];
  return typeof title === "string" ? title : name.replaceAll("_", " ");
}

/** What the fields of all profiles are called, by their names. */
export function labelsOf(profiles: Readonly<Record<string, JsonSchema>> | undefined): Map<string, string> {
  return new Map(Object.values(profiles ?? {}).flatMap((schema) => Object.entries(propertiesOf(schema)).map(([name, field]) => [name, labelOf(name, field)] as const)));
}
