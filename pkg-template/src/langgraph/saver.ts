/** LangGraph's checkpoints in documents. */
import {
  BaseCheckpointSaver,
  WRITES_IDX_MAP,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
} from "@langchain/langgraph-checkpoint";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { Document, DocumentOperation, DocumentSearchOptions } from "../documents.js";
import { checkedUser } from "../user.js";
import { checkpointsIn, needed, placeIn, text, valuesOf, wholeOf, writeKey, writesOf } from "./places.js";
import { onProperties } from "./filter.js";
import { KEPT, puts } from "./packed.js";
import { tuplesOf, type StoredCheckpoint } from "./tuples.js";
import { carryOut, type DocumentUser } from "./user.js";

/** How many checkpoints are read at a time. */
const PAGE = 20;
/** By how much a version grows; what is below tells branches of a thread apart. */
const VERSION = 2 ** 24;
/** How many checkpoints, values and writes of a thread are forgotten at a time. */
const LISTED = 1000;

/**
 * A checkpointer of LangGraph: threads can be resumed, interrupted, looked back at and branched, in a page, in Node and in Workers.
 *
 * A value of a channel is stored once and shared by all checkpoints that have it.
 *
 * @example
 * ```ts
 * import { Annotation, StateGraph } from "@langchain/langgraph";
 * import { MnemicSaver } from "mnemic/langgraph";
 *
 * const State = Annotation.Root({ count: Annotation<number> });
 * const graph = new StateGraph(State)
 *   .addNode("add", ({ count }) => ({ count: count + 1 }))
 *   .addEdge("__start__", "add")
 *   .compile({ checkpointer: new MnemicSaver(user) });
 * await graph.invoke({ count: 1 }, { configurable: { thread_id: "today" } });
 * console.log((await graph.getState({ configurable: { thread_id: "today" } })).values.count); // 2
 * ```
 */
export class MnemicSaver extends BaseCheckpointSaver {
  readonly #user: DocumentUser;

  /**
   * @param user what `memory.scope()` gives, or a client of a user's memory on Cloudflare
   * @param serde turns values into bytes and back. Default: LangGraph's own.
   * @throws InvalidInputError when `user` is neither.
   */
  constructor(user: DocumentUser, serde?: SerializerProtocol) {
    super(serde);
    this.#user = checkedUser(user, user?.documents?.batch);
  }

  /** The checkpoint that a configuration names, or the latest of its thread; undefined when there is none. */
  async getTuple({ configurable = {} }: RunnableConfig): Promise<CheckpointTuple | undefined> {
    if (configurable["thread_id"] === undefined) return undefined;
    const { threadId, namespace } = placeIn(configurable);
    const id = text(configurable, "checkpoint_id");
    const labels = checkpointsIn(threadId, namespace);
    const [found] = id ? await carryOut(this.#user, [{ op: "get", namespace: labels, key: id, refreshTtl: false }]) : await this.#found(labels, { depth: 0, limit: 1 });
    const [tuple] = found ? await this.#tuples([found]) : [];
    return tuple;
  }

  /**
   * Checkpoints by their ids, the latest first: of all threads and namespaces when the configuration names none.
   *
   * @throws InvalidInputError when a name is no text, or `limit` is no number of checkpoints.
   */
  async *list({ configurable = {} }: RunnableConfig, { limit = Infinity, before, filter = {} }: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const [threadId, namespace, id] = ["thread_id", "checkpoint_ns", "checkpoint_id"].map((name) => text(configurable, name));
    const conditions = Object.entries(filter).map(([name, value]) => [name, value === undefined ? value : { $eq: value }]);
    const isOne = threadId !== undefined && namespace !== undefined;
    const labels = isOne ? checkpointsIn(threadId, namespace) : checkpointsIn(threadId);
    const selection = {
      ...(isOne ? { depth: 0 } : namespace !== undefined && { match: [{ prefix: checkpointsIn("*", namespace) }] }),
      filter: onProperties(Object.fromEntries(conditions), "metadata."),
      ...(id && { where: { key: id } }),
    };
    let from: DocumentSearchOptions = { after: text(before?.configurable, "checkpoint_id") || undefined };
    for (let count = 0; count < limit; count += PAGE) {
      const size = Math.min(PAGE, limit - count);
      const found = await this.#found(labels, { ...selection, ...from, limit: size });
      yield* await this.#tuples(found);
      if (found.length < size) return;
      // Several threads may have checkpoints of the same ids.
      from = isOne ? { after: found.at(-1)?.key } : { ...from, offset: count + PAGE };
    }
  }

  /**
   * Stores a checkpoint, and the values of the channels in `newVersions`.
   *
   * @throws InvalidInputError when the configuration names no thread.
   */
  async put({ configurable }: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, newVersions: ChannelVersions): Promise<RunnableConfig> {
    const place = placeIn(configurable);
    const { channel_values: values, ...rest } = checkpoint;
    const changed = Object.entries(newVersions).filter(([channel]) => Object.hasOwn(values, channel));
    const operations = await Promise.all(changed.map(([channel, version]) => puts(valuesOf(place, channel), String(version), {}, values[channel], this.serde)));
    // Metadata is JSON, which can be filtered.
    const value = { checkpoint: rest, metadata: JSON.parse(JSON.stringify(metadata)), parent: text(configurable, "checkpoint_id") || undefined } satisfies StoredCheckpoint;
    const own: DocumentOperation = { op: "put", namespace: checkpointsIn(place.threadId, place.namespace), key: checkpoint.id, value, ...KEPT };
    // A checkpoint whose values are stored in several commits comes last.
    await carryOut(this.#user, [...operations.flat(), own]);
    return { configurable: { thread_id: place.threadId, checkpoint_ns: place.namespace, checkpoint_id: checkpoint.id } };
  }

  /**
   * Stores what a task wrote for the step after a checkpoint. What it wrote before stays, but for errors, interrupts and their answers.
   *
   * @throws InvalidInputError when the configuration names no thread or no checkpoint.
   */
  async putWrites({ configurable }: RunnableConfig, writes: PendingWrite[], taskId: string, taskPath = ""): Promise<void> {
    const namespace = writesOf(placeIn(configurable), needed(configurable, "checkpoint_id"));
    const given = writes.map(([channel, value], place) => {
      const index = WRITES_IDX_MAP[channel] ?? place;
      return { index, key: writeKey(taskId, index), channel, value };
    });
    const present = await carryOut(this.#user, given.map(({ key }) => ({ op: "get", namespace, key, refreshTtl: false })));
    const due = given.filter(({ index }, place) => index < 0 || present[place] === null);
    const operations = await Promise.all(due.map(({ key, channel, value }) => puts(namespace, key, { channel, path: taskPath }, value, this.serde)));
    await carryOut(this.#user, operations.flat());
  }

  /** Erases all checkpoints of a thread, with their values and writes, from the storage too. */
  async deleteThread(threadId: string): Promise<void> {
    const lists = wholeOf(needed({ thread_id: threadId }, "thread_id")).map((prefix) => ({ op: "list", prefix, limit: LISTED }) as const);
    for (;;) {
      const ids = (await carryOut(this.#user, lists)).flat().map(({ id }) => id);
      if (ids.length === 0) return;
      await this.#user.forget({ ids });
    }
  }

  /**
   * The version after another one. It grows, and differs from what it would be in another branch of the thread: each branch keeps the
   * values of its own.
   */
  override getNextVersion(current: number | undefined): number {
    if (typeof current === "string") return super.getNextVersion(current);
    return (Math.floor((current ?? 0) / VERSION) + 1) * VERSION + Math.floor(Math.random() * VERSION);
  }

  async #found(prefix: string[], options: DocumentSearchOptions): Promise<Document[]> {
    const [found] = await carryOut(this.#user, [{ op: "search", prefix, orderBy: "key", order: "desc", refreshTtl: false, ...options }]);
    return found;
  }

  #tuples(documents: readonly Document[]): Promise<CheckpointTuple[]> {
    return tuplesOf(documents, this.#user, this.serde);
  }
}
