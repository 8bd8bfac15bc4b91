/** The control that a value is edited with: a line, a long text, a choice, or a list with one entry per line. */
import { element } from "../page/element.js";

export interface EditedValue {
  readonly label: string;
  readonly value: string | readonly string[];
  readonly choices?: readonly string[] | undefined;
  /** Whether a text has several lines. */
  readonly isLong?: boolean;
  readonly placeholder?: string;
  /** Whether it may be left empty. */
  readonly mayBeEmpty?: boolean;
}

export type ValueControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** From so many characters on a text takes several lines. */
const LONG = 80;

export function valueControl({ label, value, choices, isLong, placeholder }: EditedValue, testId: string): ValueControl {
  const attributes = { "aria-label": label, dir: "auto", class: "field", "data-testid": testId };
  if (choices) {
    return element("select", attributes, ...choices.map((choice) => element("option", { selected: choice === value }, choice)));
  }
  if (typeof value !== "string" || isLong || value.length > LONG || value.includes("\n")) {
    const area = element("textarea", { ...attributes, rows: typeof value === "string" ? 3 : Math.max(2, value.length + 1), placeholder });
    area.value = [value].flat().join("\n");
    return area;
  }
  return element("input", { ...attributes, type: "text", autocomplete: "off", value, placeholder });
}
