/** What would be forgotten, and the receipt for it. */
export const forgetting = /* css */ `
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

.receipt {
  display: grid;
  gap: 0.5rem;
}
`;
