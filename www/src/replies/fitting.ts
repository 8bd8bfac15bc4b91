/** What is kept beside the words of a reply has a limit in bytes: texts are shortened until all of it fits. */

/** The first of the lengths at which everything has at most so many bytes as JSON; nothing when even the last does not do. */
export function fitting<Item>(lengths: readonly number[], maxBytes: number, shorten: (characters: number) => Item[]): Item[] {
  const encoder = new TextEncoder();
  return lengths.map(shorten).find((items) => encoder.encode(JSON.stringify(items)).length <= maxBytes) ?? [];
}

export function clipped(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}
