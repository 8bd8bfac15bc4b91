/** What requests to models cost. */
import type { ModelRequest } from "../types.js";

/** Prices for a million tokens each, in one currency. */
export interface Prices {
  /** Of what the language model is sent. */
  readonly input: number;
  /** Of what it answers. */
  readonly output: number;
  /** Of what is embedded. Default: 0. */
  readonly embedding?: number | undefined;
  /** The ISO code of the currency. Default: `"USD"`. */
  readonly currency?: string | undefined;
}

/**
 * What a request cost at these prices.
 *
 * @example
 * ```ts
 * import { costOf } from "mnemic/devtools";
 *
 * const { requests } = await memory.inspect();
 * const prices = { input: 0.25, output: 2 };
 * console.log(requests.reduce((sum, request) => sum + costOf(request, prices), 0)); // in dollars
 * ```
 */
export function costOf({ texts, inputTokens, outputTokens }: ModelRequest, { input, output, embedding = 0 }: Prices): number {
  return (texts === undefined ? inputTokens * input + outputTokens * output : inputTokens * embedding) / 1_000_000;
}
