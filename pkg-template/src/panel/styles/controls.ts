/** Buttons, fields, dialogs and notices. */
export const controls = /* css */ `button,
input,
select,
textarea {
  font: inherit;
  color: inherit;
}

button,
summary,
select,
label.check {
  cursor: pointer;
}

.icon {
  width: 1.25rem;
  height: 1.25rem;
  flex: none;
  fill: none;
  stroke: currentColor;
  stroke-width: 2;
  stroke-linecap: round;
  stroke-linejoin: round;
}

.button,
.icon-button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: 0.5rem;
  min-height: var(--touch);
  min-width: var(--touch);
  border: 1px solid transparent;
  border-radius: var(--radius);
  background: none;
}

.button {
  padding: 0.375rem 1rem;
  border-color: var(--line-strong);
  background: var(--surface);
  font-weight: 550;
}

.button-main {
  color: var(--ink-on-ink);
  background: var(--ink);
  border-color: var(--ink);
}

.button:hover,
.icon-button:hover {
  border-color: var(--ink);
}

.icon-button {
  padding: 0;
  color: var(--ink-soft);
}

.icon-button:hover {
  color: var(--ink);
}

button:active {
  opacity: 0.7;
}

.link-button {
  min-height: 1.75rem;
  padding: 0.125rem 0;
  border: 0;
  background: none;
  text-decoration: underline;
  text-underline-offset: 0.2em;
  text-decoration-color: var(--line-strong);
}

.link-button:hover {
  text-decoration-color: currentColor;
}

.buttons {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-block-start: 0.75rem;
}

.field {
  display: block;
  width: 100%;
  min-height: var(--touch);
  padding: 0.5rem 0.75rem;
  color: var(--ink);
  background: var(--surface);
  border: 1px solid var(--line-strong);
  border-radius: var(--radius);
  resize: vertical;
}

.field[aria-invalid="true"] {
  border-color: var(--danger);
}

.label {
  display: block;
  margin-block: 0.75rem 0.25rem;
  font-size: var(--text-small);
  font-weight: 600;
}

.check {
  display: flex;
  align-items: center;
  gap: 0.625rem;
  min-height: var(--touch);
}

.check input {
  width: 1.125rem;
  height: 1.125rem;
  margin: 0;
  flex: none;
}

.check:has(:disabled) {
  color: var(--ink-soft);
  cursor: default;
}

::placeholder {
  color: var(--ink-soft);
  opacity: 1;
}

.hint,
.byline {
  color: var(--ink-soft);
  font-size: var(--text-small);
}

.byline {
  display: flex;
  flex-wrap: wrap;
  column-gap: 0.75rem;
  font-size: var(--text-tiny);
}

.problem {
  color: var(--danger);
  font-size: var(--text-small);
  overflow-wrap: anywhere;
}

.chip {
  display: inline-block;
  padding: 0 0.5rem;
  font-size: var(--text-tiny);
  line-height: 1.5rem;
  border: 1px solid var(--line);
  border-radius: 1rem;
  color: var(--ink-soft);
  white-space: nowrap;
}

summary {
  min-height: 2rem;
  padding-block: 0.25rem;
  width: fit-content;
  color: var(--ink-soft);
  font-size: var(--text-small);
}

summary:hover {
  color: var(--ink);
}

@media (pointer: coarse) {
  .link-button,
  summary {
    min-height: var(--touch);
  }

  summary {
    padding-block: 0.625rem;
  }
}

.dialog {
  width: min(34rem, calc(100vw - 2rem));
  max-height: calc(100dvh - 2rem);
  margin: auto;
  padding: 0 1.25rem;
  scroll-padding-block: 4rem 6rem;
  color: var(--ink);
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: var(--radius);
  box-shadow: 0 1rem 3rem var(--shadow);
}

.dialog::backdrop {
  background: rgb(10 11 14 / 0.5);
}

.dialog-head {
  display: flex;
  align-items: center;
  justify-content: space-between;
  padding-block: 0.75rem 0.25rem;
}

.dialog-head,
.dialog-foot {
  position: sticky;
  z-index: 1;
  margin-inline: -1.25rem;
  padding-inline: 1.25rem;
  background: var(--surface);
}

.dialog-head {
  inset-block-start: 0;
}

.dialog-foot {
  inset-block-end: 0;
  margin-block-start: 0.75rem;
  padding-block-end: 1rem;
  border-block-start: 1px solid var(--line);
}

.dialog .problem:not(:empty) {
  margin-block-start: 0.375rem;
}

.dialog legend {
  padding: 0;
  margin-block-end: 0.25rem;
  font-weight: 600;
}

.dialog .check + .hint {
  margin-inline-start: 1.75rem;
}

.outcome:not(:empty) {
  margin-block-start: 0.75rem;
  font-size: var(--text-small);
  overflow-wrap: anywhere;
}

.toast-remedy {
  flex: none;
  min-height: var(--touch);
  padding: 0 0.75rem;
  border: 0;
  background: none;
  font-weight: 650;
  text-decoration: underline;
  text-underline-offset: 0.2em;
}

.notice .icon-button,
.notice .icon-button:hover {
  color: inherit;
}

.notice :focus-visible {
  outline-color: currentColor;
  outline-offset: -4px;
}

.notice {
  position: absolute;
  inset-block-end: 0.75rem;
  inset-inline: 0.75rem;
  z-index: 5;
  display: flex;
  align-items: center;
  gap: 0.5rem;
  width: fit-content;
  max-width: min(32rem, calc(100% - 1.5rem));
  margin-inline: auto;
  padding: 0.375rem;
  padding-inline-start: 1rem;
  color: var(--ink-on-ink);
  background: var(--ink);
  border-radius: var(--radius);
  box-shadow: 0 0.5rem 2rem var(--shadow);
  overflow-wrap: anywhere;
}

.dialog > .notice {
  position: fixed;
  inset-block-end: 7rem;
}

.button-danger {
  color: var(--danger);
  border-color: var(--danger);
}

.button-danger:hover {
  border-color: var(--danger);
  background: var(--danger-back);
}

.button:disabled {
  color: var(--ink-soft);
  background: none;
  border-color: var(--line);
  cursor: default;
}

.dialog {
  overflow-wrap: anywhere;
}
`;
