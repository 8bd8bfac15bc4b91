/** What is remembered, item by item. */
export const items = /* css */ `.items {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
}

.item {
  content-visibility: auto;
  contain-intrinsic-size: auto 9rem;
  margin-inline: -0.5rem;
  padding-inline: 0.5rem;
  padding-block: 0.5rem;
  border-block-end: 1px solid var(--line);
  overflow-wrap: anywhere;
}

.item:focus {
  outline: 3px solid var(--focus);
  outline-offset: 2px;
}

.item-head {
  display: flex;
  align-items: center;
  gap: 0.5rem;
}

.item-head h3 {
  flex: 1;
  color: var(--ink-soft);
}

.item-unknown {
  padding-block: 0.125rem;
}

.item-head .icon-button {
  margin-inline-end: -0.5rem;
}

.significance {
  flex: 1;
  color: var(--ink-soft);
  font-size: var(--text-tiny);
}

.value-list {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 0.375rem;
  list-style: none;
}

.value-list li {
  max-width: 100%;
  padding: 0.0625rem 0.625rem;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 1rem;
}

.value,
.revision-value {
  white-space: pre-wrap;
}

.value-list {
  white-space: normal;
}

.value-editor {
  display: grid;
  gap: 0.25rem;
  padding-block: 0.25rem;
}

.value-editor .buttons {
  margin-block-start: 0.25rem;
}

.sources {
  display: grid;
  gap: 0.25rem;
  margin-block-start: 0.25rem;
  font-size: var(--text-small);
}

.sources li {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  column-gap: 0.75rem;
}

.sources blockquote::before {
  content: "“";
}

.sources blockquote::after {
  content: "”";
}

.revisions,
.why,
.comparison {
  padding-inline-start: 0.875rem;
  border-inline-start: 2px solid var(--line);
  font-size: var(--text-small);
}

.revisions {
  display: grid;
  gap: 0.625rem;
  margin-block: 0.25rem 0.5rem;
}

.scores {
  display: grid;
  gap: 0.125rem;
  margin-block: 0.25rem;
  font-size: var(--text-tiny);
  color: var(--ink-soft);
}

.score {
  display: flex;
  align-items: center;
  gap: 0.625rem;
}

.score-bar {
  position: relative;
  flex: 1;
  max-width: 12rem;
  height: 0.5rem;
  overflow: hidden;
  border-radius: 1rem;
  background: var(--sunken);
}

.score-bar::before {
  content: "";
  position: absolute;
  inset: 0;
  border-radius: inherit;
  background: var(--bar);
  transform: scaleX(var(--share));
  transform-origin: left;
}

.score-bar:dir(rtl)::before {
  transform-origin: right;
}

.score-number {
  color: var(--ink);
  font-variant-numeric: tabular-nums;
}

.terms {
  display: flex;
  flex-wrap: wrap;
  column-gap: 0.875rem;
}

.terms div {
  display: flex;
  gap: 0.3rem;
}

.terms dd {
  color: var(--ink);
  font-variant-numeric: tabular-nums;
}

.status {
  display: grid;
}

.status div {
  display: grid;
  grid-template-columns: 9rem minmax(0, 1fr);
  gap: 0.5rem;
  padding-block: 0.5rem;
  border-block-end: 1px solid var(--line);
  font-size: var(--text-small);
}

.status dt {
  color: var(--ink-soft);
}

.status dd {
  overflow-wrap: anywhere;
}

.verdict {
  margin-block-start: 0.75rem;
  font-size: var(--text-small);
  overflow-wrap: anywhere;
}

.past {
  color: var(--ink-soft);
  text-decoration: line-through;
}

.grows {
  flex: 1;
  min-width: 0;
}

.panel-tools {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0 0.75rem;
  padding-block-end: 0.5rem;
  border-block-end: 1px solid var(--line);
  font-size: var(--text-small);
}

.adder:has(form) {
  flex-basis: 100%;
}

.stacked {
  display: grid;
  gap: 0.5rem;
}

.icon-button[aria-pressed="true"] .icon {
  fill: var(--mark-strong);
  stroke: var(--ink);
}

.item-more {
  display: flex;
  flex-wrap: wrap;
  column-gap: 1.25rem;
}

.item-more > details[open] {
  flex-basis: 100%;
  min-width: 0;
}

.why {
  display: grid;
  gap: 0.375rem;
  margin-block: 0.25rem 0.5rem;
}

.told {
  margin: 0;
}

.told blockquote {
  white-space: pre-wrap;
}

.comparison {
  margin-block-end: 0.5rem;
}

.comparison-line {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.25rem 0.5rem;
}

.comparison-line .field {
  width: auto;
  min-width: 4rem;
}

.difference {
  margin-block-start: 0.375rem;
}

del,
ins {
  padding: 0.05em 0.25em;
  border-radius: 0.25em;
}

del {
  color: var(--danger);
  background: var(--danger-back);
}

ins {
  color: var(--mark-ink);
  background: var(--mark);
  text-decoration: none;
}

.observations {
  padding-inline: 1.125rem;
}

.entity-name {
  max-width: 100%;
  color: var(--ink);
  font-weight: 600;
  text-align: start;
  overflow-wrap: anywhere;
}

.item-head h3.entity-title {
  color: var(--ink);
  font-size: var(--text);
  overflow-wrap: anywhere;
}

.item-head .chip {
  max-width: 50%;
  overflow: hidden;
  text-overflow: ellipsis;
}

.section-heading {
  margin: 1rem 0 0.25rem;
  font-size: var(--text-small);
}

.quiet {
  color: var(--ink-soft);
  font-size: var(--text-small);
}

.connection {
  overflow-wrap: anywhere;
}

.connection .link-button {
  max-width: 100%;
  text-align: start;
}

.relation-type {
  color: var(--ink-soft);
}

.drawing {
  margin-block-start: 0.75rem;
  border: 1px solid var(--line);
  border-radius: var(--radius);
  background: var(--surface);
}

.drawing .hint {
  padding: 0 0.75rem 0.5rem;
}

.neighbourhood {
  display: block;
  width: 100%;
  max-width: 34rem;
  margin-inline: auto;
  height: auto;
}

.neighbourhood text {
  fill: var(--ink);
  font-size: 13px;
  text-anchor: middle;
}

.neighbourhood .edge {
  fill: none;
  stroke: var(--line-strong);
}

.neighbourhood .arrow {
  fill: var(--line-strong);
}

.neighbourhood .edge-label {
  fill: var(--ink-soft);
  font-size: 11px;
  paint-order: stroke;
  stroke: var(--surface);
  stroke-width: 4px;
}

.node rect {
  fill: var(--raised);
  stroke: var(--line-strong);
}

.node-centre rect {
  fill: var(--mark);
  stroke: transparent;
}

.neighbourhood .node-centre text {
  fill: var(--mark-ink);
  font-weight: 600;
}

.node-button {
  cursor: pointer;
  outline: 0;
}

.node-button:hover rect {
  stroke: var(--ink);
}

.node-button:focus-visible rect {
  stroke: var(--focus);
  stroke-width: 3px;
}

.model-form {
  padding-block-end: 0.5rem;
}

.model-form .hint:not(:empty) {
  margin-block-start: 0.375rem;
}

.field:disabled {
  color: var(--ink-soft);
  background: none;
  border-color: var(--line);
  cursor: default;
}

.labelled {
  display: grid;
  gap: 0.25rem;
  margin-block-start: 0.375rem;
  font-size: var(--text-small);
}

.labelled .field {
  font-size: var(--text);
}

.parts div {
  display: grid;
  grid-template-columns: 4.5rem minmax(0, 1fr);
  gap: 0.5rem;
}

.parts dt {
  color: var(--ink-soft);
  font-size: var(--text-small);
}

.parts dd,
.proposed .value {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}

.json {
  max-height: 14rem;
  margin: 0.375rem 0;
  padding: 0.5rem 0.75rem;
  overflow: auto;
  border: 1px solid var(--line);
  border-radius: var(--radius-small);
  background: var(--surface);
  font: var(--text-tiny) / 1.5 ui-monospace, "DejaVu Sans Mono", monospace;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}

.progress {
  width: 100%;
  margin-block-start: 0.75rem;
}

.failures {
  padding-inline-start: 1.125rem;
}

.stacked + .hint:not(:empty),
.hint + .check {
  margin-block-start: 0.5rem;
}

.panel-part {
  margin-block-end: 1rem;
  padding-block-end: 1rem;
  border-block-end: 1px solid var(--line);
}

.items + .adder {
  margin-block-start: 0.75rem;
}

.panel-part:last-child {
  border-block-end: 0;
}

.block-label {
  color: var(--ink);
}

.held {
  margin-block: 0.25rem;
  color: var(--danger);
  font-size: var(--text-small);
}

.item-more .link-button {
  min-height: 2rem;
  color: var(--ink-soft);
  font-size: var(--text-small);
  text-decoration: none;
}

.item-more .link-button:hover {
  color: var(--danger);
  text-decoration: underline;
}

.byline,
.item-more {
  align-items: baseline;
}

.buttons + .hint {
  margin-block-start: 0.75rem;
}

.forget {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.75rem;
}

.forget-record {
  display: flex;
  flex-direction: column;
  padding-block: 0.375rem;
  border-block-end: 1px solid var(--line);
}

.forget-record.check {
  flex-direction: row;
  align-items: start;
}

.forget-record.check input {
  margin-block-start: 0.25rem;
}

.forget-record.check > span {
  display: grid;
  min-width: 0;
}

.forget-text {
  min-width: 0;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}

.outcome:not(:empty) + .hint,
.sure {
  margin-block-start: 0.75rem;
}

.receipt {
  display: grid;
  gap: 0.5rem;
}

@media (pointer: coarse) {
  .item-more .link-button {
    min-height: var(--touch);
  }
}

@media (forced-colors: active) {
  .score-bar {
    border: 1px solid;
  }

  .score-bar::before {
    background: CanvasText;
    forced-color-adjust: none;
  }

  .icon-button[aria-pressed="true"] {
    border-color: Highlight;
  }

  .tab-bar .tab {
    border-block-end-color: Canvas;
  }

  .tab-bar .tab[aria-selected="true"] {
    border-block-end-color: Highlight;
  }

  mark,
  del,
  ins {
    border: 1px solid;
  }

  .node rect {
    fill: Canvas;
  }

  .node-centre rect {
    stroke: Highlight;
  }
}
`;
