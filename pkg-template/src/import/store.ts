/** Storing a batch of items, so that none is stored twice. */
import type { Caller } from "../caller.js";
import type { Document } from "../documents.js";
import type { Action, Remembered, StoredMessage } from "../types.js";
import type { DocumentItem, FactItem, FailedItem, LineItem, MessageItem } from "./format.js";

/** What became of a batch. */
export interface Stored {
  readonly done: number;
  readonly skipped: number;
  readonly failed?: readonly FailedItem[];
}

const PAGE = 1000;

/** Stores batches through the engine, and knows which messages are there. */
export class Store {
  readonly #call: Caller;
  readonly #learn: boolean;
  readonly #known = new Map<string, Set<string>>();
  /** What was committed, oldest first. */
  readonly commitIds: string[] = [];
  /** When what this import put last under a place was changed where it comes from. */
  readonly #put = new Map<string, number>();

  constructor(call: Caller, learn: boolean) {
    this.#call = call;
    this.#learn = learn;
  }

  /** Messages of one thread; those whose ids it has already are left as they are, and of two with one id the first is taken. */
  async messages(items: readonly MessageItem[]): Promise<Stored> {
    const threadId = items[0]?.threadId ?? "";
    const known = await this.#messageIds(threadId);
    const fresh = new Map<string, MessageItem["message"]>();
    for (const { message } of items) {
      if (!known.has(message.id) && !fresh.has(message.id)) fresh.set(message.id, message);
    }
    let done = 0;
    if (fresh.size > 0) {
      const input = { messages: [...fresh.values()], threadId, learn: this.#learn };
      const { commitId } = await this.#call<Remembered>("remember", input);
      // Without a commit another import stored them meanwhile.
      if (commitId !== undefined) done = fresh.size;
      this.#committed(commitId);
      for (const id of fresh.keys()) known.add(id);
    }
    return { done, skipped: items.length - done };
  }

  /** Documents; one that is here, or came before, is replaced only by one that was changed later. */
  async documents(items: readonly DocumentItem[]): Promise<Stored> {
    const reads = items.map(({ namespace, key }) => ({ op: "get", namespace, key, refreshTtl: false }));
    const there = await this.#call<Array<Document | null>>("documents.batch", { operations: reads });
    const puts = new Map<string, object>();
    const times = new Map<string, number>();
    for (const [index, { namespace, key, value, updatedAt = 0 }] of items.entries()) {
      const place = JSON.stringify([namespace, key]);
      const put = times.get(place) ?? this.#put.get(place);
      if (put === undefined ? (there[index]?.updatedAt ?? -1) >= updatedAt : put > updatedAt) continue;
      puts.set(place, { op: "put", namespace, key, value });
      times.set(place, updatedAt);
    }
    const actions = puts.size > 0 ? await this.#call<Action[]>("documents.batch", { operations: [...puts.values()] }) : [];
    for (const [place, time] of times) this.#put.set(place, time);
    const done = actions.filter(({ action }) => action !== "unchanged").length;
    for (const { commitId } of actions) this.#committed(commitId);
    return { done, skipped: items.length - done };
  }

  /** Facts in one commit; those that came from the same source before are left as they are, also when they were ended or deleted since. */
  async facts(items: readonly FactItem[]): Promise<Stored> {
    const facts = items.map(({ sourceId, fact }) => (sourceId === undefined ? fact : { ...fact, sourceId: `mem0/${sourceId}`, once: true }));
    const [only] = facts;
    if (only !== undefined && facts.length === 1) {
      const { action, commitId } = await this.#call<Action>("facts.add", only);
      this.#committed(commitId);
      return action === "unchanged" ? { done: 0, skipped: 1 } : { done: 1, skipped: 0 };
    }
    const { added, known, commitId } = await this.#call<{ added: number; known: number; commitId?: string }>("facts.import", { facts });
    this.#committed(commitId);
    return { done: added, skipped: known };
  }

  /** Lines of a graph. */
  async lines(items: readonly LineItem[]): Promise<Stored> {
    const text = items.map(({ line }) => line).join("\n");
    type Answer = { entities: number; relations: number; skipped: Array<{ line: number; reason: string }>; commitIds: string[] };
    const answer = await this.#call<Answer>("graph.import_jsonl", { text });
    answer.commitIds.forEach((commitId) => this.#committed(commitId));
    const failed = answer.skipped.map(({ line, reason }) => ({ place: items[line - 1]?.place ?? `line ${line}`, reason }));
    const done = answer.entities + answer.relations;
    return { done, skipped: items.length - done - failed.length, failed };
  }

  #committed(commitId: string | undefined): void {
    if (commitId !== undefined && this.commitIds.at(-1) !== commitId) this.commitIds.push(commitId);
  }

  /** The apps' own ids of the messages of a thread, read once. */
  async #messageIds(threadId: string): Promise<Set<string>> {
    let known = this.#known.get(threadId);
    if (known === undefined) {
      known = new Set();
      for (let offset = 0; ; offset += PAGE) {
        const page = await this.#call<StoredMessage[]>("threads.messages", { threadId, offset, limit: PAGE });
        for (const { messageId } of page) if (messageId !== undefined) known.add(messageId);
        if (page.length < PAGE) break;
      }
      this.#known.set(threadId, known);
    }
    return known;
  }
}
