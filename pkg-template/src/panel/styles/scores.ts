/** How well something was found. */
export const scores = /* css */ `
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
`;
