/** Colours and sizes: each can be set from outside by a variable of the same name with `--mnemic-` before it. */
export const tokens = /* css */ `
:host {
  --surface: var(--mnemic-surface, light-dark(#ffffff, #1d2026));
  --raised: var(--mnemic-raised, light-dark(#ffffff, #262a32));
  --sunken: var(--mnemic-sunken, light-dark(#e8e8e4, #0d0e11));
  --line: var(--mnemic-line, light-dark(#d6d6d0, #343943));
  --line-strong: var(--mnemic-line-strong, light-dark(#83868c, #7b828f));
  --ink: var(--mnemic-ink, light-dark(#16181d, #eceef2));
  --ink-soft: var(--mnemic-ink-soft, light-dark(#555a64, #a6adba));
  --ink-on-ink: var(--mnemic-ink-on-ink, light-dark(#ffffff, #131519));
  --mark: var(--mnemic-mark, light-dark(#ffe789, #5f4f0c));
  --mark-ink: var(--mnemic-mark-ink, light-dark(#16181d, #fff1bd));
  --mark-strong: var(--mnemic-mark-strong, #ffd84d);
  --bar: var(--mnemic-bar, light-dark(#b58a00, #ffd84d));
  --focus: var(--mnemic-focus, light-dark(#1b57d6, #8ab4ff));
  --danger: var(--mnemic-danger, light-dark(#a8201a, #ff9d94));
  --danger-back: var(--mnemic-danger-back, light-dark(#fdecea, #3a1a18));
  --shadow: var(--mnemic-shadow, light-dark(rgb(20 22 28 / 0.16), rgb(0 0 0 / 0.6)));
  --text: var(--mnemic-text, 1rem);
  --text-small: var(--mnemic-text-small, 0.875rem);
  --text-tiny: var(--mnemic-text-tiny, 0.8125rem);
  --touch: var(--mnemic-touch, 2.75rem);
  --radius: var(--mnemic-radius, 0.75rem);
  --radius-small: var(--mnemic-radius-small, 0.375rem);
}
`;
