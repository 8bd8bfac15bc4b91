/** What models were asked, in words. */
import type { ModelUsage } from "mnemic";

const NUMBER = new Intl.NumberFormat();

export function costInWords({ calls, inputTokens, outputTokens }: ModelUsage): string {
  return `${NUMBER.format(calls)} ${calls === 1 ? "call" : "calls"}, ${NUMBER.format(inputTokens)} tokens in, ${NUMBER.format(outputTokens)} out`;
}

/** What was spent between two readings. */
export function spentBetween(before: ModelUsage, after: ModelUsage): ModelUsage {
  return {
    calls: after.calls - before.calls,
    failures: after.failures - before.failures,
    inputTokens: after.inputTokens - before.inputTokens,
    outputTokens: after.outputTokens - before.outputTokens,
  };
}
