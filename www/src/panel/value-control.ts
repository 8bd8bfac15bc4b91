/** The control that a value is edited with: a line, a long text, a choice, or a list with one entry per line. */
import { element } from "../page/element";
import type { FieldValue } from "../types";

export interface EditedValue {
  readonly label: string;
  readonly value: FieldValue;
  readonly choices?: readonly string[] | undefined;
  /** Whether a text has several lines. */
  readonly isLong?: boolean;
  readonly placeholder?: string;
  /** Whether it may be left empty. */
  readonly mayBeEmpty?: boolean;
}

export type ValueControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function valueControl({ label, value, choices, isLong, placeholder }: EditedValue, testId: string): ValueControl {
  const attributes = { "aria-label": label, dir: "auto", class: "field", "data-testid": testId };
  if (choices) {
    return element("select", attributes, ...choices.map((choice) => element("option", { selected: choice === value }, choice)));
  }
  if (Array.isArray(value) || isLong) {
    const area = element("textarea", { ...attributes, rows: Array.isArray(value) ? Math.max(2, value.length + 1) : 3 });
    area.value = [value].flat().join("\n");
    return area;
  }
  return element("input", { ...attributes, type: "text", autocomplete: "off", value, placeholder });
}
