/** The panel as a whole: its head, tabs and menus. */
export const layout = /* css */ `
:host {
  display: block;
  min-width: 0;
  font-family: var(--mnemic-font, inherit);
  font-size: var(--text);
  line-height: 1.5;
  color: var(--ink);
  accent-color: var(--ink);
  text-align: start;
}

:host([hidden]),
[hidden] {
  display: none !important;
}

*,
*::before,
*::after {
  box-sizing: border-box;
}

:host(:dir(rtl)) slot {
  direction: rtl;
}

h2, h3, h4, p, ul, ol, dl, dd, blockquote, fieldset, figure {
  margin: 0;
  padding: 0;
}

h2 {
  font-size: 1.125rem;
  line-height: 1.3;
}

h3, h4 {
  font-size: var(--text-small);
  line-height: 1.4;
}

mark {
  padding: 0.05em 0.15em;
  border-radius: 0.2em;
  color: var(--mark-ink);
  background: var(--mark);
  -webkit-box-decoration-break: clone;
  box-decoration-break: clone;
}

:focus-visible {
  outline: 3px solid var(--focus);
  outline-offset: 2px;
}

button,
summary,
label {
  unicode-bidi: plaintext;
}

.plain-list {
  list-style: none;
}

.for-screen-readers {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

@media (prefers-reduced-motion: reduce) {
  *,
  *::before,
  *::after {
    animation: none !important;
    transition: none !important;
  }
}
.panel {
  position: relative;
  display: grid;
  height: 100%;
  grid-template-rows: auto minmax(0, 1fr);
  min-width: 0;
  min-height: 0;
}

.head {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  padding: 0.375rem 0.75rem 0 1rem;
}

.waiting {
  flex-basis: 100%;
  min-height: var(--touch);
  margin-block: 0.25rem 0.375rem;
  padding: 0 0.875rem;
  border: 0;
  border-radius: var(--radius);
  color: var(--mark-ink);
  background: var(--mark);
  font-size: var(--text-small);
  font-weight: 600;
  text-align: start;
  text-decoration: underline;
  text-underline-offset: 0.2em;
}

.tabs {
  display: grid;
  grid-template-rows: auto minmax(0, 1fr);
  min-height: 0;
}

.tab-bar {
  display: flex;
  flex-wrap: wrap;
  padding-inline: 0.5rem;
  border-block-end: 1px solid var(--line);
}

.tab-bar button {
  flex: 1 0 auto;
  min-height: var(--touch);
  padding: 0 0.375rem;
  border: 0;
  border-block-end: 3px solid transparent;
  background: none;
  color: var(--ink-soft);
  font-size: var(--text-small);
}

.tab-bar button:focus-visible {
  outline-offset: -3px;
}

.tab-bar button[aria-selected="true"] {
  color: var(--ink);
  border-color: var(--mark-strong);
  font-weight: 600;
}

.tab-panel {
  position: relative;
  min-height: 0;
  padding: 0.75rem 1rem 5rem;
  overflow-y: auto;
  overscroll-behavior: contain;
  scrollbar-gutter: stable;
}

.tab-panel > .hint {
  padding-block: 0.5rem;
}

.menu-place {
  display: grid;
  width: 100%;
  min-height: 3.5rem;
  padding: 0.5rem 0;
  border: 0;
  border-block-end: 1px solid var(--line);
  background: none;
  text-align: start;
}

.menu-place:hover .menu-label {
  text-decoration: underline;
  text-underline-offset: 0.2em;
}

.menu-label {
  font-weight: 600;
}

.menu-head {
  display: flex;
  align-items: center;
  gap: 0.25rem;
  margin-inline-start: -0.75rem;
}

.menu-title {
  font-size: var(--text);
}
`;
