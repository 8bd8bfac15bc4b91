/** Elements built in one expression; text is always text, never markup. */

export type Child = Node | string | null | undefined | false;
export type Attribute = string | number | boolean | undefined | ((event: never) => void);

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
