/** The panel's look, and what only this page has: tables, pairs of names and values, prompts, and bars. */
import { controls } from "../panel/styles/controls.js";
import { layout } from "../panel/styles/layout.js";
import { tokens } from "../panel/styles/tokens.js";

const own = /* css */ `
:host {
  color-scheme: inherit;
}

.items > .item {
  padding-block: 0.5rem;
  border-block-end: 1px solid var(--line);
}

.value {
  font-weight: 600;
  font-size: var(--text);
  color: var(--ink);
}

.pairs {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr));
  gap: 0.5rem 1.5rem;
  padding-block-end: 0.75rem;
  font-size: var(--text-small);
}

.pairs dt {
  color: var(--ink-soft);
}

.pairs dd {
  overflow-wrap: anywhere;
  font-variant-numeric: tabular-nums;
}

.wide {
  overflow-x: auto;
}

table {
  width: 100%;
  border-collapse: collapse;
  font-size: var(--text-small);
  font-variant-numeric: tabular-nums;
}

caption {
  padding-block: 0.5rem 0.25rem;
  font-weight: 600;
  text-align: start;
}

th,
td {
  padding: 0.375rem 1rem 0.375rem 0;
  padding-inline: 0 1rem;
  border-block-end: 1px solid var(--line);
  text-align: start;
  white-space: nowrap;
}

thead th {
  color: var(--ink-soft);
  font-weight: 400;
}

.bar {
  display: inline-block;
  width: 4rem;
  height: 0.5rem;
  margin-inline-end: 0.5rem;
  border-radius: 0.25rem;
  background: linear-gradient(var(--bar) 0 0) no-repeat 0 0 / calc(var(--share) * 100%) 100% var(--sunken);
}

.bar:dir(rtl) {
  background-position: 100% 0;
}

summary {
  width: auto;
  unicode-bidi: normal;
}

summary > .value {
  margin-inline-end: 0.75rem;
}

pre {
  max-height: 24rem;
  margin: 0.25rem 0 0.75rem;
  padding: 0.75rem;
  overflow: auto;
  border-radius: var(--radius-small);
  background: var(--sunken);
  font: 0.8125rem/1.5 ui-monospace, monospace;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}

.child {
  margin-inline-start: 1.25rem;
}

.line {
  display: block;
  height: 0.375rem;
  margin-block-start: 0.25rem;
  border-radius: 0.1875rem;
  background: var(--sunken);
}

.line::before {
  content: "";
  display: block;
  width: max(2px, calc(var(--share) * 100%));
  height: 100%;
  margin-inline-start: min(calc(var(--from) * 100%), calc(100% - 2px));
  border-radius: inherit;
  background: var(--bar);
}

summary .byline {
  display: inline-flex;
  max-width: calc(100% - 1.25rem);
  align-items: baseline;
}

.byline > * {
  unicode-bidi: plaintext;
}

.head .problem {
  flex-basis: 100%;
}

@media (forced-colors: active) {
  .bar,
  .line {
    border: 1px solid CanvasText;
  }

  .line::before {
    background: CanvasText;
  }
}
`;

let sheet: CSSStyleSheet | undefined;

export function styleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(tokens + layout + controls + own);
  }
  return sheet;
}
