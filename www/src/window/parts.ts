/** What the window of a model is divided into, and how much of it each part takes. */
import { inDigits } from "../page/number";

/** The parts in the order in which a request has them; what is left is free. */
export const PARTS = {
  instructions: "Instructions",
  tools: "Tools",
  blocks: "Blocks",
  memory: "Profile and facts",
  summary: "Summary",
  recent: "Recent messages",
  reserve: "For the answer",
} as const;

export type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as PartName[];

/** How one request fills the window; all numbers but `inSight` are tokens. */
export interface WindowReport {
  readonly size: number;
  readonly parts: Readonly<Record<PartName, number>>;
  /** How many messages of the chat it has word for word. */
  readonly inSight: number;
}

const SHORT = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

export function taken({ parts }: WindowReport): number {
  return PART_NAMES.reduce((sum, name) => sum + parts[name], 0);
}

export function free(report: WindowReport): number {
  return Math.max(0, report.size - taken(report));
}

/** The whole of it for those who do not see the bar. */
export function windowInWords(report: WindowReport): string {
  const said = PART_NAMES.map((name) => `${PARTS[name]} ${inDigits(report.parts[name])}`);
  return `Window of ${inDigits(report.size)} tokens: ${said.join(", ")}, Free ${inDigits(free(report))}.`;
}

export function tokensInWords(tokens: number): string {
  return inDigits(tokens);
}

/** Such as `3.1K`. */
export function tokensInShort(tokens: number): string {
  return SHORT.format(tokens);
}

/** The report kept with a stored reply; nothing when the metadata holds nothing of the kind. */
export function readWindow(metadata: unknown): WindowReport | undefined {
  const { size, parts, inSight } = ((metadata as { window?: unknown } | undefined)?.window ?? {}) as Record<string, unknown>;
  if (typeof size !== "number" || typeof inSight !== "number" || typeof parts !== "object" || parts === null) return undefined;
  const known = parts as Record<string, unknown>;
  if (PART_NAMES.some((name) => typeof known[name] !== "number")) return undefined;
  return { size, inSight, parts: known as Record<PartName, number> };
}
