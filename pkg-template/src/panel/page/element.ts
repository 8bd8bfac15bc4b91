/** Elements built in one expression; text is always text, never markup. */

export type Child = Node | string | null | undefined | false;
export type Attribute = string | number | boolean | undefined | ((event: never) => void);

/** The classes that pages can style as parts: their names are a promise. */
const PARTS = new Set([
  "panel", "head", "title", "notice", "waiting", "tab-bar", "tab", "section", "menu-place", "item", "item-head", "value", "chip", "hint", "byline", "problem",
  "button", "button-main", "button-danger", "icon-button", "link-button", "field", "check", "sources", "revisions", "why", "score-bar", "drawing", "dialog", "items",
]);

/**
 * Makes an element. Attributes whose name starts with `on` are listeners, `true` is a bare attribute,
 * `false` and `undefined` leave the attribute out.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(attribute.slice(2), value as EventListener);
    else if (value === true) made.setAttribute(attribute, "");
    else if (value !== false && value !== undefined) made.setAttribute(attribute, String(value));
  }
  const parts = [...made.classList].filter((each) => PARTS.has(each));
  if (parts.length > 0) made.setAttribute("part", parts.join(" "));
  made.append(...present(children));
  return made;
}

/** Replaces the content of an element. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...present(children));
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child): child is Node | string => child instanceof Node || typeof child === "string");
}

/** What has the focus, where the element stands: inside a shadow tree the document only knows its host. */
export function focusedIn(element: Element): HTMLElement | undefined {
  const { activeElement } = element.getRootNode() as Document | ShadowRoot;
  return activeElement instanceof HTMLElement && element.contains(activeElement) ? activeElement : undefined;
}

/** What went wrong, in words. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function clipped(text: string, characters: number): string {
  const kept = [...text.slice(0, characters * 2)].slice(0, characters).join("");
  return kept.length < text.length ? `${kept}…` : text;
}
