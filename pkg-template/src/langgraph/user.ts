/** Whose documents are used, and how they are asked. */
import type { DocumentOperation, DocumentOutcome, Documents } from "../documents.js";
import type { Scope } from "../scope.js";

/** A user's memory: what `memory.scope()` gives, or a client of one on Cloudflare. */
export interface DocumentUser extends Pick<Scope, "forget"> {
  readonly documents: Pick<Documents, "batch">;
}

/** The most operations of one batch. */
const MAX_OPERATIONS = 1000;
/** The most characters of their texts, so that the arguments of a call are within their limit. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Carries out operations in order: up to 1000 of them, with texts of 4 Mi characters, in one commit, and more in several. */
export async function carryOut<const Operations extends readonly DocumentOperation[]>(
  { documents }: DocumentUser,
  operations: Operations,
): Promise<{ -readonly [Place in keyof Operations]: DocumentOutcome<Operations[Place]> }> {
  const outcomes: DocumentOutcome[] = [];
  for (let start = 0; start < operations.length; ) {
    let end = start + 1;
    for (let characters = length(operations[start]); end < operations.length && end - start < MAX_OPERATIONS; end += 1) {
      characters += length(operations[end]);
      if (characters > MAX_CHARACTERS) break;
    }
    outcomes.push(...(await documents.batch(operations.slice(start, end))));
    start = end;
  }
  return outcomes as Awaited<ReturnType<typeof carryOut<Operations>>>;
}

/** How long the text is that an operation puts, when it puts one: all else is small. */
function length(operation: DocumentOperation | undefined): number {
  const { text } = Object(operation?.op === "put" ? operation.value : undefined) as { readonly text?: unknown };
  return typeof text === "string" ? text.length : 0;
}
