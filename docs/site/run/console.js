/** What a snippet prints, as text, and what of it may differ from what its comments say. */

/** A text with every date replaced, since memories show the day they were made on. */
export const undated = (text) => text.replaceAll(/\b\d{4}-\d\d-\d\d\b/g, "<date>");

/** The text of a call of `console.log`. */
export const lineOf = (values) => values.map((value) => (typeof value === "object" && value !== null ? shown(value) : String(value))).join(" ");

function shown(value) {
  if (value instanceof Error) return String(value);
  const text = JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner), 1);
  return text === undefined ? String(value) : text.replaceAll(/\n\s*/g, " ").replaceAll(/(?<=\[) | (?=\])/g, "");
}
