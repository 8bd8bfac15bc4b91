/** One scope: what is remembered about one user. */
import { filesOf, type ReadableFile } from "./backup/files.js";
import { exportStream, type ExportOptions, type Line } from "./backup/transfer.js";
import type { Caller } from "./caller.js";
import { Commits } from "./commits.js";
import { Context } from "./context.js";
import { Documents } from "./documents.js";
import type { ScopeEncryption } from "./encryption.js";
import { AbortedError, errorOf, InvalidInputError, InvalidScopeError, typed } from "./errors.js";
import { Episodes } from "./episodes.js";
import { Facts } from "./facts.js";
import type { ForgetOptions, ForgetSelector, Forgotten } from "./forget.js";
import { Graph } from "./graph.js";
import { isList, isRecord, isWellFormed, kind, listed, reading, record, toldModel } from "./plain.js";
import type { Imported, ImportOptions, ImportSource } from "./import/format.js";
import { importInto } from "./import/run.js";
import { Instructions } from "./instructions.js";
import { Items } from "./items.js";
import { Profiles } from "./profiles.js";
import { Proposals } from "./proposals.js";
import type { ProfileSchemas } from "./schema.js";
import { Threads } from "./threads.js";
import { Temporary } from "./temporary.js";
import { Tiers } from "./tiers.js";
import type { ToolCallOptions, ToolDefinitions, ToolOptions, ToolResult } from "./tools.js";
import type {
  CallOptions,
  Explanation,
  FlushOptions,
  Generated,
  GenerateOptions,
  GivenMessage,
  Recalled,
  RecallOptions,
  Remembered,
  RememberOptions,
  Revision,
  ScopePairs,
  Taught,
  Time,
  Undone,
} from "./types.js";
import { viewAt, type View } from "./view.js";

/** What stands before the name of a method that is to leave no trace. */
const READING = "read:";

/** The memory of one scope. Nothing that is stored here is visible in another scope. */
export class Scope<Schemas extends ProfileSchemas = {}> {
  /** The pairs of this scope; frozen. */
  readonly scope: ScopePairs;
  /** Typed fields, described by JSON Schemas. */
  readonly profiles: Profiles<Schemas>;
  /** Short statements about the user. */
  readonly facts: Facts;
  /** Entities and their relations. */
  readonly graph: Graph;
  /** Learned changes that wait for the user's approval. */
  readonly proposals: Proposals;
  /** Everything that is remembered, of every kind. */
  readonly items: Items;
  /** How the assistant should answer. */
  readonly instructions: Instructions;
  /** How things went, as examples for the next time. */
  readonly episodes: Episodes;
  /** The conversations, word for word. */
  readonly threads: Threads;
  /** Recent exchanges, older ones by topic, and what is distilled from them. */
  readonly tiers: Tiers;
  /** JSON documents under namespaces and keys. */
  readonly documents: Documents;
  /** Conversations of any length with a model that has a small window. */
  readonly context: Context;
  /** What happened, newest first. */
  readonly commits: Commits;
  /** Its own lock: state and changes. */
  readonly encryption: ScopeEncryption;
  readonly #call: Caller;
  /** The same for calls that are to leave no trace. */
  readonly #reading: Caller = (method, input, options) =>
    this.#call(method.startsWith(READING) ? method : READING + method, input, options);
  readonly #line: Line;

  /** @internal Made by `memory.scope()`. */
  constructor(pairs: ScopePairs, line: Line, encryption: ScopeEncryption) {
    const { call } = line;
    this.scope = pairs;
    this.#call = call;
    this.#line = line;
    this.profiles = new Profiles(call);
    this.facts = new Facts(call);
    this.graph = new Graph(call);
    this.proposals = new Proposals(call);
    this.items = new Items(call);
    this.instructions = new Instructions(call);
    this.episodes = new Episodes(call);
    this.threads = new Threads(call);
    this.tiers = new Tiers(call);
    this.documents = new Documents(call);
    this.context = new Context(call);
    this.commits = new Commits(call);
    this.encryption = encryption;
  }

  /** @internal The open memory that made it; undefined when that is elsewhere. What shows a scope listens to its events. */
  get memory(): object | undefined {
    return this.#line.memory;
  }

  /**
   * Stores messages. They are durable when the promise resolves. Facts and profile fields are learned from them in the background, by
   * the memory's `llm` or by rules.
   *
   * @throws InvalidInputError when a message is malformed or over its limit; then none of them is stored. `details.index` and
   * `details.id` name it: split that message or leave it out, and call again with the others.
   *
   * @example
   * ```ts
   * const { messageIds } = await user.remember(
   *   [
   *     { role: "user", content: "I'm vegetarian. What should I cook?" },
   *     { role: "assistant", content: "How about a mushroom risotto?" },
   *   ],
   *   { threadId: "dinner" },
   * );
   * console.log(messageIds.length); // 2
   * ```
   */
  async remember(messages: GivenMessage | readonly GivenMessage[], options?: RememberOptions): Promise<Remembered> {
    return this.#call("remember", { messages: listed(messages) }, options);
  }

  /**
   * Stores messages, learns from them immediately, and returns the changes. The messages are durable before the model is asked: if
   * it fails, the call rejects and the background retries.
   *
   * @throws ModelError and TimeoutError when the model fails.
   * @throws InvalidInputError when there is neither a message nor a fact, or one is malformed; then nothing is stored.
   *
   * @example
   * ```ts
   * const { changes, usage } = await user.generate({
   *   messages: { role: "user", content: "I live in Lisbon." },
   *   facts: ["The user pays for the premium plan."],
   *   labels: { session: "42" },
   * });
   * console.log(changes.map(({ action, record }) => `${action} ${record.text}`), usage.calls);
   * ```
   */
  async generate(options: GenerateOptions): Promise<Generated> {
    const { messages, ...others } = record(options, "options");
    return this.#call("generate", messages === undefined ? {} : { messages: listed(messages) }, others);
  }

  /**
   * Learns from the waiting messages immediately, and returns the changes. Messages that the background is already learning from
   * are awaited, but not part of the result.
   *
   * @throws ModelError and TimeoutError when the model fails; then the messages stay queued.
   *
   * @example
   * ```ts
   * await user.remember({ role: "user", content: "My name is Alice." }, { threadId: "today" });
   * const { changes } = await user.flush({ threadId: "today" });
   * console.log(changes.length);
   * ```
   */
  flush(options?: FlushOptions): Promise<Taught> {
    return this.#call("flush", {}, options);
  }

  /**
   * Imports the export of another memory or chat in batches. Known data is skipped, so run an import that was aborted or failed
   * again to resume it. Facts that you deleted after an earlier import stay deleted.
   *
   * Messages keep their ids and those of their conversations; of a branched conversation, the branch that was open last is imported.
   * Documents keep namespace and key. Facts get `metadata.source` and `metadata.sourceId`.
   *
   * @throws InvalidInputError when the data has no known format; then nothing was imported.
   * @throws AbortedError when the signal fires; what was already imported stays.
   *
   * @example
   * ```ts
   * const conversations = JSON.stringify([
   *   {
   *     uuid: "0b5d8f1e", name: "Dinner", created_at: "2026-05-01T18:00:00Z",
   *     chat_messages: [{ uuid: "77aa", sender: "human", text: "I'm vegetarian.", created_at: "2026-05-01T18:00:00Z" }],
   *   },
   * ]);
   * const { format, done, failed } = await user.import(conversations, {
   *   onProgress: ({ done, total }) => console.log(`${done} of ${total}`),
   * });
   * console.log(format, done, failed.length); // claude 1 0
   * ```
   */
  import(data: ImportSource, options?: ImportOptions): Promise<Imported> {
    return importInto(this.#line, data, options);
  }

  /**
   * Reads everything that is stored about this scope, with its history, as a stream of bytes for a file. `import` imports it here,
   * into another scope or into another memory.
   *
   * @throws ConflictError when the memory is replaced or something is forgotten while the stream is read. Export it again.
   *
   * @example
   * ```ts
   * await user.facts.add("Alice plays the cello");
   * const file = await new Response(user.export()).blob();
   * const { format, done } = await memory.scope({ userId: "alice", device: "new" }).import(file);
   * console.log(format, done); // mnemic 1
   * ```
   */
  export(options?: ExportOptions): ReadableStream<Uint8Array<ArrayBuffer>> {
    return exportStream(this.#line, options);
  }

  /**
   * Everything remembered of this scope as files for people: profile, facts, instructions and conversations in Markdown, documents
   * and the graph in JSON. They hold only the current state; `export` has the history too.
   *
   * @example
   * ```ts
   * await user.facts.add("Alice plays the cello");
   * for await (const { path, text } of user.exportFiles()) console.log(path, text.length); // facts.md 53, items.jsonl ...
   * ```
   */
  exportFiles(options?: CallOptions): AsyncIterable<ReadableFile> {
    return filesOf(this.#call, "", options);
  }

  /**
   * Returns what is relevant to a query, as text for a prompt and as a list of items. If nothing is relevant, `known` is `"no"`. A
   * failing model or embedder is listed in the result and rejects nothing.
   *
   * @throws InvalidInputError when the query or an option is malformed.
   * @throws InvalidFilterError when the filter has an unknown operator or a wrong operand.
   *
   * @example
   * ```ts
   * await user.facts.add("Alice is vegetarian");
   * const { text, items } = await user.recall("what should I cook?", { maxTokens: 800 });
   * console.log(text, items.map(({ id, score }) => [id, score]));
   *
   * const { rewritten } = await user.recall("and what would she like?", { currentThreadId: "today", rewrite: true, hops: 2 });
   * console.log(rewritten?.queries); // ["What would Ana like to eat?"]
   * ```
   */
  recall(query: string, options?: RecallOptions): Promise<Recalled> {
    return this.#call("recall", { query }, options);
  }

  /**
   * The definitions of tools with which a model reads and changes this memory, in the format of `"openai"` (chat completions),
   * `"anthropic"` (Messages API) or `"mcp"` (Model Context Protocol). Pass the model's calls to `callTool`.
   *
   * @throws InvalidInputError when the format or a set is unknown.
   *
   * @example
   * ```ts
   * const tools = await user.tools("openai", { include: ["facts", "graph"] });
   * console.log(tools.map((tool) => tool.function.name)); // facts_search, facts_add, ...
   * ```
   */
  tools<Format extends keyof ToolDefinitions>(
    format: Format,
    options?: ToolOptions,
  ): Promise<Array<ToolDefinitions[Format]>> {
    return this.#call("tools", { format }, options);
  }

  /**
   * Runs a model's tool call. The arguments are an object, or JSON text as the model wrote it; they are checked against the tool's
   * schema. A wrong call changes nothing, and its result tells the model what is wrong. Pinned items are not changed. Changes by a
   * tool have the cause `"tool"`. Pass the `include` you gave to `tools`: a model may call tools it was not offered.
   *
   * @throws StorageError, QuotaExceededError, ClosedError and others that no model can fix.
   *
   * @example
   * ```ts
   * const include = ["facts"] as const; // as for `tools`
   * const { ok, result } = await user.callTool("facts_add", '{"text": "Alice sails"}', { include, threadId: "today" });
   * console.log(ok, result); // true {"action":"created","id":"..."}
   * ```
   */
  async callTool(name: string, args?: unknown, options?: ToolCallOptions): Promise<ToolResult> {
    try {
      return await this.#call("callTool", { name, arguments: args }, options);
    } catch (error) {
      return { ok: false, result: toldModel(error), isError: true };
    }
  }

  /**
   * All revisions of an item of any kind, oldest first.
   *
   * @throws NotFoundError when this scope never had such an item.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice lives in Lisbon");
   * await user.facts.update(id, { text: "Alice lives in Porto" });
   * console.log((await user.history(id)).map(({ text }) => text));
   * ```
   */
  history(id: string, options?: CallOptions): Promise<Revision[]> {
    return this.#call("history", { id }, options);
  }

  /**
   * Undoes several commits of this scope, such as those of an import, from the last to the first, each by a commit of its own. If
   * one cannot be undone, those already undone are redone, so the call changes nothing, except when the page is closed or `signal`
   * fires in between.
   *
   * @throws ConflictError, NotFoundError as for one commit. `details.commitId` names it, and `details.undone` the commits that stay
   * undone because redoing them failed too.
   *
   * @example
   * ```ts
   * const { commitIds } = await user.import([{ id: "m1", memory: "Alice plays the cello" }]);
   * console.log((await user.undo(commitIds)).length); // 1
   * ```
   */
  undo(commitIds: readonly string[], options?: CallOptions): Promise<Undone[]>;
  /**
   * Undoes a commit of this scope with a new commit.
   *
   * @throws ConflictError when an item has changed since that commit: undo the later changes first. `details` names the items, and
   * nothing was changed.
   * @throws NotFoundError when this scope has no such commit.
   *
   * @example
   * ```ts
   * const { id, commitId } = await user.facts.add("Alice lives in Lisbon");
   * if (commitId) await user.undo(commitId); // absent when the fact was known already
   * console.log(await user.facts.get(id)); // null
   * ```
   */
  undo(commitId: string, options?: CallOptions): Promise<Undone>;
  async undo(commits: string | readonly string[], options?: CallOptions): Promise<Undone | Undone[]> {
    if (!isList(commits)) return this.#call("undo", { commitId: commits }, options);
    const undone: Undone[] = [];
    const left = reading("commitIds", () => [...commits]);
    try {
      for (let commitId = left.at(-1); commitId !== undefined; commitId = left.at(-1)) {
        undone.push(await this.#call("undo", { commitId }, options));
        left.pop();
      }
      return undone;
    } catch (cause) {
      const error = typed(cause);
      if (error instanceof AbortedError) throw error;
      const stay = await this.#redo(undone);
      const details = { ...error.details, commitId: left.at(-1), ...(stay > 0 && { undone: commits.slice(-stay) as string[] }) };
      throw errorOf(error.code, error.message, { cause, details });
    }
  }

  /** Takes undos back, the last first; answers how many stay because that failed. */
  async #redo(undone: readonly Undone[]): Promise<number> {
    const left = [...undone];
    try {
      for (let last = left.at(-1); last !== undefined; last = left.at(-1)) {
        if (last.commitId !== undefined) await this.#call("undo", { commitId: last.commitId });
        left.pop();
      }
    } catch {
      // The app is told which stay, with the error that began it.
    }
    return left.length;
  }

  /**
   * Forgets what the selector names and everything that depends on it alone: what was learned from it, its summaries, vectors and
   * history. What depends on it partly is rebuilt without it. Nothing stored holds it afterwards, and `undo` cannot restore it.
   *
   * @throws InvalidInputError unless there is exactly one selector within its limits.
   * @throws NotFoundError when this scope never had one of the ids; nothing was forgotten.
   *
   * @example
   * ```ts
   * const { found = [] } = await user.forget({ query: "my doctor" }); // changes nothing
   * if (found.length > 0) {
   *   const receipt = await user.forget({ ids: found.map(({ id }) => id) });
   *   console.log(receipt.forgotten); // such as { message: 2, fact: 1 }
   * }
   * ```
   */
  async forget(selector: ForgetSelector, options?: ForgetOptions): Promise<Forgotten> {
    return this.#call("forget", record(selector, "selector"), options);
  }

  /**
   * A read-only view of the scope as it was at a time.
   *
   * @throws InvalidInputError when the time is neither a finite number nor a valid `Date`.
   *
   * @example
   * ```ts
   * const yesterday = user.asOf(Date.now() - 24 * 60 * 60 * 1000);
   * console.log(await yesterday.facts.list()); // []
   * ```
   */
  asOf(time: Time): View<Schemas> {
    const asOf: unknown = time instanceof Date ? time.getTime() : time;
    if (typeof asOf !== "number" || !Number.isFinite(asOf)) {
      throw new InvalidInputError(
        `asOf: ${kind(time)} is not a time; pass milliseconds since 1970 UTC or a valid Date`,
        { details: { path: "asOf" } },
      );
    }
    return viewAt(this.#call, asOf);
  }

  /**
   * A read-only view of this scope: calls that would write reject with `ReadOnlyError`, and reads are not recorded as accesses.
   *
   * @example
   * ```ts
   * const reader = user.readOnly();
   * console.log((await reader.recall("what should I cook?")).text);
   * await reader.facts.add("Alice sails").catch(({ code }) => console.log(code)); // ReadOnly
   * ```
   */
  readOnly(): Scope<Schemas> {
    return new Scope(this.scope, { ...this.#line, call: this.#reading, import: undefined }, this.encryption.readOnly());
  }

  /**
   * Begins a temporary chat: it reads this memory, and keeps its messages to itself until it is saved or dropped.
   *
   * @example
   * ```ts
   * const chat = user.temporary();
   * await chat.remember({ role: "user", content: "Just asking: what do I like to cook?" });
   * const { text } = await chat.assemble({ maxTokens: 4000 });
   * console.log(text);
   * chat.drop();
   * ```
   */
  temporary(): Temporary<Schemas> {
    return new Temporary(this.readOnly(), this.#call, this.#reading);
  }

  /**
   * Explains where an item comes from: its cause, and the words it was learned from.
   *
   * @throws NotFoundError when this scope has no such item.
   *
   * @example
   * ```ts
   * const { id } = await user.facts.add("Alice lives in Lisbon");
   * const { origin, source } = await user.explain(id);
   * console.log(origin, source.map(({ quote }) => quote));
   * ```
   */
  explain(id: string, options?: CallOptions): Promise<Explanation> {
    return this.#call("explain", { id }, options);
  }
}

/**
 * A frozen copy of the pairs of a scope.
 *
 * @throws InvalidScopeError when they are not 1 to 5 pairs of non-empty strings without `*`, keys of at most 64 and values of
 * at most 256 characters.
 */
export function scopePairs(pairs: unknown): ScopePairs {
  if (!reading("scope", () => isRecord(pairs))) {
    throw new InvalidScopeError(`a scope is an object of strings such as { userId: "alice" }, not ${kind(pairs)}`);
  }
  const entries = reading("scope", () => Object.entries(pairs as object));
  if (entries.length < 1 || entries.length > 5) {
    throw new InvalidScopeError(`a scope has 1 to 5 pairs; this one has ${entries.length}`);
  }
  for (const [key, value] of entries) {
    part("key", key, 64);
    part(`value of ${JSON.stringify(key)}`, value, 256);
  }
  return Object.freeze(Object.fromEntries(entries) as ScopePairs);
}

function part(name: string, text: unknown, limit: number): void {
  if (typeof text !== "string") throw new InvalidScopeError(`a scope's ${name} must be a string, not ${kind(text)}`);
  const characters = [...text].length;
  if (characters < 1 || characters > limit) {
    throw new InvalidScopeError(`a scope's ${name} has 1 to ${limit} characters; this one has ${characters}`);
  }
  if (!isWellFormed(text)) throw new InvalidScopeError(`a scope's ${name} has half of a surrogate pair; do not cut strings inside a character`);
  if (text.includes("*")) throw new InvalidScopeError(`a scope's ${name} must not hold "*"; scopes match exactly`);
}
