/** What every custom element needs of the page. */

/** On a server there are no elements: a module with one can be imported there all the same. */
export const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/** Makes an element known to the page. Doing so again does nothing, and neither does it where there is no page. */
export function defineOnce(name: string, constructor: CustomElementConstructor): void {
  const { customElements } = globalThis as Partial<typeof globalThis>;
  if (customElements && !customElements.get(name)) customElements.define(name, constructor);
}

/** What was set on an element before it was one of these stands before the accessors: it is set again. */
export function upgrade<Name extends string>(element: { [name in Name]?: unknown }, names: readonly Name[]): void {
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}
