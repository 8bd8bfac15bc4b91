/** What models were asked, in words. */
import type { ModelUsage } from "mnemic";
import { inDigits } from "../page/number";

export function costInWords({ calls, inputTokens, outputTokens }: ModelUsage): string {
  return `${inDigits(calls)} ${calls === 1 ? "call" : "calls"}, ${inDigits(inputTokens)} tokens in, ${inDigits(outputTokens)} out`;
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
