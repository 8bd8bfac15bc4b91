/** Which stretches of a message the memory was made from. */

export interface Stretch {
  readonly text: string;
  readonly marked: boolean;
  /** Whether nobody is told it but who reads the chat. */
  readonly withheld: boolean;
}

const [MARKED, WITHHELD] = [1, 2];

/** Cuts a text into marked, withheld and plain stretches; quotes that do not occur in it mark nothing. */
export function markQuotes(text: string, quotes: readonly string[], withheld: readonly string[] = []): Stretch[] {
  const marked = new Uint8Array(text.length);
  for (const [mark, parts] of [[MARKED, quotes], [WITHHELD, withheld]] as const) {
    for (const part of parts) {
      const start = part === "" ? -1 : text.indexOf(part);
      if (start >= 0) marked.fill(mark, start, start + part.length);
    }
  }
  const stretches: Stretch[] = [];
  for (let start = 0, end = 1; start < text.length; end += 1) {
    if (end < text.length && marked[end] === marked[start]) continue;
    stretches.push({ text: text.slice(start, end), marked: marked[start] === MARKED, withheld: marked[start] === WITHHELD });
    start = end;
  }
  return stretches;
}
