/** Where the parts of a thread lie: its checkpoints, the values of its channels, and the writes that wait for a checkpoint. */
import { kind, refused } from "../plain.js";

/** A checkpoint, or a place for one. */
export interface Place {
  readonly threadId: string;
  /** That of a subgraph; empty for the graph itself. */
  readonly namespace: string;
}

const ROOT = "langgraph-checkpoints";
/** Stands before a namespace, which may be empty: a label may not. */
const NAMESPACE = "/";

/** The labels above the checkpoints of a thread, or of all threads; of one namespace, or of all. */
export function checkpointsIn(threadId?: string, namespace?: string): string[] {
  const labels = [ROOT, "checkpoints"];
  if (threadId === undefined) return labels;
  return namespace === undefined ? [...labels, threadId] : [...labels, threadId, NAMESPACE + namespace];
}

/** The place of a checkpoint, by the labels above it. */
export function placeOf(labels: readonly string[]): Place {
  const [threadId = "", namespace = NAMESPACE] = labels.slice(2);
  return { threadId, namespace: namespace.slice(NAMESPACE.length) };
}

/** The labels above the values of a channel, whose keys are its versions. */
export const valuesOf = ({ threadId, namespace }: Place, channel: string): string[] => [ROOT, "values", threadId, NAMESPACE + namespace, channel];

/** The labels above the writes that wait for a checkpoint. */
export const writesOf = ({ threadId, namespace }: Place, checkpointId: string): string[] => [ROOT, "writes", threadId, NAMESPACE + namespace, checkpointId];

/** The labels above the further parts of a value or a write, which lie as these themselves do. */
export const partsOf = ([root = ROOT, kind = "", threadId = "", ...labels]: readonly string[], key: string): string[] => [root, "parts", threadId, kind, ...labels, key];

/** The labels above everything of a thread. */
export const wholeOf = (threadId: string): string[][] => ["checkpoints", "values", "writes", "parts"].map((kind) => [ROOT, kind, threadId]);

/** Indexes of special writes are negative. */
const LOWEST_INDEX = -100;

/** The key of a write: in the order of tasks, and of the writes of each. */
export const writeKey = (taskId: string, index: number): string => `${taskId}\0${String(index - LOWEST_INDEX).padStart(8, "0")}`;

/** The id in a key of a write. */
export const taskOf = (key: string): string => key.slice(0, key.lastIndexOf("\0"));

type Configurable = Readonly<Record<string, unknown>> | undefined;

/**
 * What a configuration names; undefined when it does not.
 *
 * @throws InvalidInputError when it is not a text.
 */
export function text(configurable: Configurable, name: string): string | undefined {
  const value = configurable?.[name] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw refused(`configurable.${name}`, kind(value), "pass a text");
}

/**
 * The same of what must be named.
 *
 * @throws InvalidInputError also when it is missing or empty.
 */
export function needed(configurable: Configurable, name: string): string {
  const value = text(configurable, name);
  if (value) return value;
  throw refused(`configurable.${name}`, value ?? "undefined", `pass a text: { configurable: { ${name}: "..." } }`);
}

/** The place that a configuration names. */
export const placeIn = (configurable: Configurable): Place => ({ threadId: needed(configurable, "thread_id"), namespace: text(configurable, "checkpoint_ns") ?? "" });
