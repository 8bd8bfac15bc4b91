/** What a call of a tool comes to. */

/** What a tool answers. */
export interface ToolAnswer {
  content: Array<{ type: "text"; text: string }>;
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** A call that changed nothing, with what to tell the model. */
export class Refused extends Error {}

/** An answer. */
export function told(text: string, structured?: object): ToolAnswer {
  return { content: [{ type: "text", text }], ...(structured && { structuredContent: { ...structured } }) };
}

/** The answer that a call failed. What is wrong within this package is not told. */
export function toldFailure(error: unknown): ToolAnswer {
  if (error instanceof Refused) return { ...told(error.message), isError: true };
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (!(error instanceof Error) || typeof code !== "string") throw error;
  return { ...told(`Error: ${String(message)}`), isError: true };
}
