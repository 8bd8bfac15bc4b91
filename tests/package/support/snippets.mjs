/** The code in the documents; the documentation site runs the same. */
export * from "../../../scripts/docs/snippets.mjs";
