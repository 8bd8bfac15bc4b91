/** One field of a profile: its value and where it came from. */
import type { JsonSchema } from "../../schema.js";
import type { ProfileField } from "../../types.js";
import type { EntryView } from "../entries/entry.js";
import { sources, told } from "../entries/sources.js";
import { valueEditor } from "../entries/value-editor.js";
import { valueText } from "../entries/value-text.js";
import { element } from "../page/element.js";
import type { Tools } from "../tools.js";

/** A field by its profile and name; without `field` it is not known yet. */
export interface ShownField {
  readonly profile: string;
  readonly name: string;
  readonly label: string;
  /** How the app describes it, as far as it does. */
  readonly schema: JsonSchema | undefined;
  readonly field: ProfileField | undefined;
}

export function fieldView(tools: Tools): EntryView<ShownField> {
  const { changes, user, words } = tools;
  return {
    testId: ({ name }) => `field-${name}`,
    entry: ({ label, field }) => ({ id: field?.id, kind: "field", name: label, pinned: field?.pinned }),
    head: ({ label, field }) => [element("h3", { dir: "auto" }, label), !field && element("span", { class: "hint" }, words.of("notKnownYet"))],
    body: ({ field }) => (field ? [
      valueShown(field.value),
      field.stale?.[0] && element("p", { class: "problem" }, `${words.of("noLongerFits")} ${field.stale[0].message}`),
      field.context && !field.source.at(-1)?.quote && element("p", { class: "hint", dir: "auto" }, field.context),
      sources(told(field.source).slice(-1), tools),
    ] : []),
    editor: ({ profile, name, label, schema, field }, close) => {
      const isList = isTexts(field?.value) || (field === undefined && schema?.["type"] === "array");
      const value = isList ? ((field?.value as string[] | undefined) ?? []) : field === undefined ? "" : valueText(field.value);
      return valueEditor(
        words, { label, value, choices: choicesOf(schema) },
        async (text, lines) => changes.done(field ? "changed" : "added", await user.profiles.set(profile, name, isList ? lines : written(text, schema, field?.value))),
        close,
      );
    },
    restore: async ({ profile, name }, revision) => {
      await changes.make("restored", () => user.profiles.rollback(profile, name, revision));
    },
    compare: ({ profile, name }, from, to) => user.profiles.diff(profile, name, from, to),
  };
}

function valueShown(value: unknown): HTMLElement {
  if (!isTexts(value)) return element("p", { class: "value", dir: "auto", "data-testid": "value" }, valueText(value));
  return element("ul", { class: "value value-list", "data-testid": "value" }, ...value.map((entry) => element("li", { dir: "auto" }, entry)));
}

/** What was written, as the field holds it: what is no text is written as JSON. */
function written(text: string, schema: JsonSchema | undefined, former: unknown): unknown {
  const isText = schema === undefined ? former === undefined || typeof former === "string" : schema["type"] === "string" || choicesOf(schema) !== undefined;
  return isText ? text : (JSON.parse(text) as unknown);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

/** The texts that a field is limited to, if it is. */
function choicesOf(schema: JsonSchema | undefined): string[] | undefined {
  const choices = schema?.["enum"];
  return isTexts(choices) ? choices : undefined;
}
