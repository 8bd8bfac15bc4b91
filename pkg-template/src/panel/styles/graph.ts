/** Entities, what is known of them, and the drawing of what is around one. */
export const graph = /* css */ `
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
`;
