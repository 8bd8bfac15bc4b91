/** What is remembered, item by item. */
export const items = /* css */ `
.items {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
}

.long-list {
  position: relative;
}

.long-list .items {
  display: block;
}

.long-list .item {
  content-visibility: visible;
}

.long-list .apart {
  position: absolute;
  inset-inline: 0;
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
  flex-wrap: wrap;
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
  flex: 1 0 min-content;
  overflow-wrap: normal;
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

.past {
  color: var(--ink-soft);
  text-decoration: line-through;
}

.grows {
  flex: 1;
  min-width: 0;
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

.item-head .chip {
  max-width: 50%;
  overflow: hidden;
  text-overflow: ellipsis;
}

.section-heading {
  margin: 1rem 0 0.25rem;
  font-size: var(--text-small);
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

@media (pointer: coarse) {
  .item-more .link-button {
    min-height: var(--touch);
  }
}
`;
