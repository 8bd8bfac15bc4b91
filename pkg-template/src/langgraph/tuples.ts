/** From the documents of checkpoints to what LangGraph takes. */
import { maxChannelVersion, TASKS, type Checkpoint, type CheckpointMetadata, type CheckpointPendingWrite, type CheckpointTuple, type SerializerProtocol } from "@langchain/langgraph-checkpoint";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { Document, DocumentOperation, FoundDocument } from "../documents.js";
import { restOf, unpacked, type Packed } from "./packed.js";
import { placeOf, taskOf, valuesOf, writesOf, type Place } from "./places.js";
import { carryOut, type DocumentUser } from "./user.js";

/** What the document of a checkpoint holds. */
export interface StoredCheckpoint {
  readonly checkpoint: Omit<Checkpoint, "channel_values">;
  readonly metadata: CheckpointMetadata;
  /** The id of the checkpoint before it. */
  readonly parent?: string | undefined;
}

/** What the document of a write holds. */
export interface StoredWrite extends Packed {
  readonly channel: string;
  /** The path of the task in the graph; empty for what is given from outside. */
  readonly path: string;
}

/** The most documents of one search. */
const MAX_FOUND = 1000;
/** Before this version of checkpoints, what was sent to tasks lay with the writes of the checkpoint before. */
const SENDS_ARE_VALUES = 4;

/** Reads what belongs to checkpoints, in one call unless one has a thousand writes. */
export async function tuplesOf(documents: readonly Document[], user: DocumentUser, serde: SerializerProtocol): Promise<CheckpointTuple[]> {
  const reads = new Reads(user, serde);
  const parts = documents.map(({ namespace, key, value }) => {
    const place = placeOf(namespace);
    const { checkpoint, metadata, parent } = value as unknown as StoredCheckpoint;
    const config = (id: string): RunnableConfig => ({ configurable: { thread_id: place.threadId, checkpoint_ns: place.namespace, checkpoint_id: id } });
    const values = Object.entries(checkpoint.channel_versions).map(([channel, version]) => [channel, reads.value(place, channel, version)] as const);
    const writes = reads.writes(place, key);
    const sends = checkpoint.v < SENDS_ARE_VALUES && parent !== undefined ? reads.writes(place, parent) : undefined;
    return { key, checkpoint, metadata, parent, config, values, writes, sends };
  });
  await reads.run();
  return Promise.all(
    parts.map(async ({ key, checkpoint, metadata, parent, config, values, writes, sends }) => {
      const known = await Promise.all(values.map(async ([channel, value]) => [channel, await value()] as const));
      const whole: Checkpoint = {
        ...checkpoint,
        channel_values: Object.fromEntries(known.flatMap(([channel, value]) => (value === undefined ? [] : [[channel, value.value]]))),
      };
      if (sends !== undefined) sendAnew(whole, await sends());
      return {
        config: config(key),
        checkpoint: whole,
        metadata,
        pendingWrites: await writes(),
        ...(parent !== undefined && { parentConfig: config(parent) }),
      };
    }),
  );
}

/** Makes what was sent to tasks a value of a checkpoint, as it is since version 4. */
function sendAnew(checkpoint: Checkpoint, writes: readonly CheckpointPendingWrite[]): void {
  const versions = Object.values(checkpoint.channel_versions);
  checkpoint.channel_values[TASKS] = writes.flatMap(([, channel, value]) => (channel === TASKS ? [value] : []));
  checkpoint.channel_versions = { ...checkpoint.channel_versions, [TASKS]: versions.length > 0 ? maxChannelVersion(...versions) : 1 };
}

/** Reads that are carried out together, each once. */
class Reads {
  readonly #operations: DocumentOperation[] = [];
  readonly #places = new Map<string, number>();
  #outcomes: readonly unknown[] = [];

  constructor(
    readonly user: DocumentUser,
    readonly serde: SerializerProtocol,
  ) {}

  /** The value that a channel had in a version; undefined when it had none. */
  value(place: Place, channel: string, version: number | string): () => Promise<{ value: unknown } | undefined> {
    const outcome = this.#ask({ op: "get", namespace: valuesOf(place, channel), key: String(version), refreshTtl: false });
    return async () => {
      const document = outcome() as Document | null;
      return document === null ? undefined : { value: await this.#unpacked(document) };
    };
  }

  /** The writes that wait for a checkpoint, in the order in which they are carried out. */
  writes(place: Place, checkpointId: string): () => Promise<CheckpointPendingWrite[]> {
    const search = { op: "search", prefix: writesOf(place, checkpointId), depth: 0, orderBy: "key", limit: MAX_FOUND, refreshTtl: false } as const;
    const outcome = this.#ask(search);
    return async () => {
      const found = [...(outcome() as FoundDocument[])];
      for (let page = found; page.length === MAX_FOUND; found.push(...page)) {
        [page] = await carryOut(this.user, [{ ...search, after: page.at(-1)?.key }]);
      }
      const writes = found.map((document) => ({ document, taskId: taskOf(document.key), ...(document.value as unknown as StoredWrite) }));
      writes.sort((one, other) => compared(one.path, other.path));
      return Promise.all(writes.map(async ({ document, taskId, channel }): Promise<CheckpointPendingWrite> => [taskId, channel, await this.#unpacked(document)]));
    };
  }

  async run(): Promise<void> {
    this.#outcomes = await carryOut(this.user, this.#operations);
  }

  async #unpacked(document: Document): Promise<unknown> {
    const rest = (await carryOut(this.user, restOf(document))) as Array<Document | null>;
    return unpacked(document, rest, this.serde);
  }

  #ask(operation: DocumentOperation): () => unknown {
    const name = JSON.stringify(operation);
    const place = this.#places.get(name) ?? this.#operations.push(operation) - 1;
    this.#places.set(name, place);
    return () => this.#outcomes[place];
  }
}

/** Compares texts by code points, as LangGraph compares paths. */
function compared(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  for (const [place, sign] of left.entries()) {
    const difference = (sign.codePointAt(0) ?? 0) - (right[place]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
