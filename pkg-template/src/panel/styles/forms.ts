/** What is filled in, and the parts of a section. */
export const forms = /* css */ `
.value-editor {
  display: grid;
  gap: 0.25rem;
  padding-block: 0.25rem;
}

.value-editor .buttons {
  margin-block-start: 0.25rem;
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

.outcome:not(:empty) + .hint,
.sure {
  margin-block-start: 0.75rem;
}
`;
