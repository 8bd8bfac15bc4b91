/** Texts in batches that a model takes at once. */

/** How much a batch may hold. */
export interface BatchLimits {
  readonly maxTexts: number;
  readonly maxCharacters: number;
}

/** The texts in their order, in batches within the limits; a text longer than a batch may be is alone in one. */
export function* batches(texts: readonly string[], { maxTexts, maxCharacters }: BatchLimits): Generator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (batch.length > 0 && (batch.length === maxTexts || characters + text.length > maxCharacters)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}

/** The beginning of a text: at most so many characters, none of them cut in half. */
export function beginning(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const isCut = /[\uD800-\uDBFF]/.test(text.charAt(maxCharacters - 1));
  return text.slice(0, isCut ? maxCharacters - 1 : maxCharacters);
}
