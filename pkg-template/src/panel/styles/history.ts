/** Where an item comes from and what it was before. */
export const history = /* css */ `
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
`;
