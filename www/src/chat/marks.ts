/** Which stretches of a message the memory was made from. */

export interface Stretch {
  readonly text: string;
  readonly marked: boolean;
}

/** Cuts a text into marked and plain stretches; quotes that do not occur in it mark nothing. */
export function markQuotes(text: string, quotes: readonly string[]): Stretch[] {
  const marked = new Uint8Array(text.length);
  for (const quote of quotes) {
    const start = quote === "" ? -1 : text.indexOf(quote);
    if (start >= 0) marked.fill(1, start, start + quote.length);
  }
  const stretches: Stretch[] = [];
  for (let start = 0, end = 1; start < text.length; end += 1) {
    if (end < text.length && marked[end] === marked[start]) continue;
    stretches.push({ text: text.slice(start, end), marked: marked[start] === 1 });
    start = end;
  }
  return stretches;
}
