/** The plain values of arguments and results. All times in results are milliseconds since 1970 UTC. */
import type { ErrorCode } from "./errors.js";
import type { Item } from "./items.js";
import type { Vector } from "./models.js";

/** A time in an argument: milliseconds since 1970 UTC, or a `Date`. */
export type Time = number | Date;

/** The options of every asynchronous call. */
export interface CallOptions {
  /**
   * Aborts the call. Before it starts, nothing happens. Later, the promise rejects with `AbortedError`, and the engine may still finish
   * what it began; what is durable stays.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Names a scope, such as a user: 1 to 5 pairs of non-empty strings without `*`; order does not matter. */
export interface ScopePairs {
  readonly [key: string]: string;
}

/** Data of the app, stored with an item. A `Date` inside becomes an ISO 8601 string. */
export interface Metadata {
  readonly [key: string]: unknown;
}

/**
 * A condition on items: `{ category: "goal" }` is short for `{ category: { $eq: "goal" } }`.
 *
 * Operators are `$eq $ne $gt $gte $lt $lte $in $nin $exists`, combined by `$and $or $not`. Paths are dotted
 * (`"metadata.project"`), and ISO dates compare as dates, also with times in milliseconds.
 */
export interface Filter {
  readonly [pathOrOperator: string]: unknown;
}

/** Who wrote a message. */
export type Role = "user" | "assistant" | "system" | "tool";

/** A text part of a message. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/**
 * A part of a message that is not text, as OpenAI, Anthropic or the AI SDK write it: a tool call, a tool result, an image, a file.
 * It is stored as given and never searched. Models are shown its type and name, such as `[image: cat.png]`.
 */
export interface OtherPart {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** One part of a message. */
export type Part = TextPart | OtherPart;

/** A part as the types of chat APIs have it, or an object of your own. */
export type GivenPart = Part | { readonly type: string };

/** A tool call: whatever the chat API needs, with an id that the result refers to. */
export interface ToolCall {
  readonly id: string;
  readonly [property: string]: unknown;
}

/** A tool call as the types of chat APIs have it, or an object of your own. */
export type GivenToolCall = ToolCall | { readonly id: string };

/** How far a source is trusted, from the user's own words to what strangers wrote on the web. */
export type Trust = "user" | "assistant" | "tool" | "document" | "web";

/**
 * A message to remember: your own, or as an SDK hands it out. What comes with it and says nothing, such as `usage` or
 * `providerOptions`, is left out; the guide of threads lists it. A property that is not known is refused.
 */
export type GivenMessage = Message | UIMessage | ResponseItem;

/** A message of the AI SDK's user interface. Its parts are the content. */
export interface UIMessage {
  readonly role: Role;
  readonly parts: readonly GivenPart[];
  readonly id?: string | undefined;
  /** An object, if any. */
  readonly metadata?: unknown;
}

/** An item of OpenAI's Responses API without a role: a call, a result or reasoning. It becomes a message. */
export interface ResponseItem {
  readonly type: string;
  readonly role?: unknown;
  readonly id?: string | null | undefined;
  readonly call_id?: string | null | undefined;
  readonly name?: string | undefined;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
}

/** A message to remember, with the names of your own or of OpenAI's, Anthropic's or the AI SDK's types. */
export interface Message {
  /** `"developer"` is stored as `"system"`, `"function"` as `"tool"`. */
  readonly role: Role | "developer" | "function";
  /** May be null or absent beside tool calls, and where `refusal`, `audio` or `function_call` stands for it. */
  readonly content?: string | readonly GivenPart[] | null | undefined;
  /** What OpenAI's models say instead of a content. It is stored as a part. */
  readonly refusal?: string | null | undefined;
  /** What OpenAI's models say aloud. Its `transcript` is stored as a part, its sound is not. */
  readonly audio?: object | null | undefined;
  /** A call as OpenAI had it before `tool_calls`. It is stored as a part. */
  readonly function_call?: object | null | undefined;
  /** The tool calls, as chat APIs write them; parts of type `"tool_call"`, `"tool-call"` or `"tool_use"` are calls as well. */
  readonly toolCalls?: readonly GivenToolCall[] | undefined;
  /** The same under OpenAI's name. */
  readonly tool_calls?: readonly GivenToolCall[] | null | undefined;
  /** For a tool's message: the call it answers. Parts of type `"tool_result"` or `"tool-result"` are results as well. */
  readonly toolCallId?: string | undefined;
  /** The same under OpenAI's name. */
  readonly tool_call_id?: string | undefined;
  /** Your own id. If the thread has a message with this id, it is replaced, or left alone when it is equal. Default: the engine makes one. */
  readonly id?: string | undefined;
  /** The name of the speaker or tool. */
  readonly name?: string | undefined;
  /** When it was written. Default: now. */
  readonly createdAt?: Time | undefined;
  /**
   * How far what it says is trusted, such as `"web"` for a page that is quoted. What is learned from a tool, a document or the web
   * changes nothing that is trusted more, and waits as a proposal when the text instructs. Default: as its role; `"user"` for
   * `"system"`.
   */
  readonly trust?: Trust | undefined;
  readonly metadata?: Metadata | undefined;
}

/** A stored message. */
export interface StoredMessage {
  /** Its id in the memory, for `history` and `explain`. */
  id: string;
  /** Your own id; absent when you gave none. */
  messageId?: string;
  threadId: string;
  role: Role;
  /** Empty when null was given. */
  content: string | Part[];
  /** The tool calls; absent when there are none. */
  toolCalls?: ToolCall[];
  /** The call it answers; absent when it is not a result, or when a part names the call. */
  toolCallId?: string;
  name?: string;
  createdAt: number;
  /** Absent when it is as the role says. */
  trust?: Trust;
  metadata: Record<string, unknown>;
  /**
   * The sentences that nobody is told but who reads the thread, because what was learned from them was deleted or corrected. Only in
   * `threads.messages`; elsewhere the content lacks them. Absent when there are none.
   */
  withheld?: string[];
}

/** The words of a message that something was learned from. */
export interface Source {
  messageId: string;
  threadId: string;
  /** The quoted words; empty when the whole message is the source. */
  quote: string;
  /** How far the message is trusted; absent for the user's own. */
  trust?: Trust;
}

/** The kinds of records. */
export type Kind =
  | "message"
  | "fact"
  | "field"
  | "entity"
  | "relation"
  | "document"
  | "instruction"
  | "episode"
  | "proposal"
  | "summary"
  | "page"
  | "segment"
  | "trait"
  | "block"
  | "passage";

/** What a call did to one item. */
export interface Action {
  /** `"unchanged"` when the item already had that content; then there was no commit. */
  action: "created" | "updated" | "deleted" | "unchanged";
  id: string;
  kind: Kind;
  revision: number;
  /** Absent when the item is new or unchanged. */
  previousRevision?: number;
  /** For `undo`; absent when the item is unchanged. */
  commitId?: string;
  /** The kinds of secrets that were masked in it; absent when there were none. */
  masked?: SecretKind[];
  /** The ids of messages of which words are withheld since: those it was learned from, and replies to them. Absent when there are none. */
  withheld?: string[];
  /** What was learned from the same words and said the same. Absent when there is nothing. */
  twins?: Twin[];
}

/** A kind of secret that `guard` looks for. */
export type SecretKind = "key" | "privateKey" | "card" | "password" | "iban" | "nationalId";

/** That an item of a call held a secret. */
export interface Masked {
  /** The place of the item in the call, from 0. */
  index: number;
  kind: SecretKind;
}

/** A fact or a profile field that was learned from the words of one that was changed or deleted, and said the same. */
export interface Twin {
  id: string;
  kind: Kind;
  /** `"unchanged"`: it still says the old, because it is pinned, known from elsewhere too, or the edit does not say what it is to say. */
  action: "deleted" | "updated" | "unchanged";
}

/** Options of calls that delete or correct what was learned. */
export interface KeepSourceOptions extends CallOptions {
  /**
   * Whether recall, searches, prompts, summaries and learning go on reading the words it was learned from. Default: false, which
   * withholds them; they stay in their thread to be read.
   */
  readonly keepSource?: boolean | undefined;
}

/** How a score came about. */
export interface ScoreTerms {
  /** What shared words add to the score. */
  words: number;
  /** What closeness in meaning adds to the score. */
  meaning: number;
  /** The BM25 score itself; absent when no word is shared. */
  wordsRaw?: number;
  /** The cosine itself; absent when it is not among the nearest. */
  meaningRaw?: number;
  /** `words` plus `meaning`, as it enters a product or sum; absent in the mode `"relevance"`. */
  relevance?: number;
  /** How recently it was recalled, found or changed, as it enters a product or sum; absent in the mode `"relevance"`. */
  recency?: number;
  /** How much it matters, as it enters a product or sum; absent in the mode `"relevance"`. */
  significance?: number;
  /** The weights of the three; only in the mode `"sum"`. */
  weights?: { relevance: number; recency: number; significance: number };
}

/**
 * How results are scored:
 *
 * - `"relevance"`: `words + meaning`.
 * - `"product"`: `relevance * recency * significance`, where recency is `decay` to the power of the hours since the last access,
 *   and significance a tenth of the item's.
 * - `"sum"`: `weights.relevance * relevance + weights.recency * recency + weights.significance * significance`, each term scaled
 *   between its least and greatest among the candidates; a term they all share counts 0.5 (Park et al., Generative Agents, 2023).
 */
export interface Scoring {
  /** Default: `"relevance"`. */
  readonly mode?: "relevance" | "product" | "sum" | undefined;
  /** For `"sum"`: 0 or more, and not all 0. Default: 1 each. */
  readonly weights?:
    | {
        readonly relevance?: number | undefined;
        readonly recency?: number | undefined;
        readonly significance?: number | undefined;
      }
    | undefined;
  /** The factor by which recency falls each hour, above 0 and up to 1. Default: 0.995. */
  readonly decay?: number | undefined;
}

/** What a search adds to what it found. */
export interface Scored {
  /** From 0 to 1, in the mode `"sum"` to the sum of the weights; higher is better; comparable within one answer only. */
  score: number;
  terms: ScoreTerms;
}

/** What kind of statement a fact is. */
export type Category =
  | "preference"
  | "personal info"
  | "goal"
  | "pain point"
  | "decision"
  | "event"
  | "instruction"
  | "other";

/** A fact to store. */
export interface NewFact {
  /** One statement that can be understood by itself. */
  readonly text: string;
  /** Default: `"other"`. */
  readonly category?: Category | undefined;
  /** How much it matters, 1 to 10. Default: 5. */
  readonly significance?: number | undefined;
  readonly metadata?: Metadata | undefined;
  /** Since when it is true. Default: now. */
  readonly validFrom?: Time | undefined;
  /** When it is deleted. Default: never. */
  readonly expiresAt?: Time | undefined;
  /** How far it is trusted, such as `"web"`. Default: `"user"`, or `"assistant"` when a model's tool adds it. */
  readonly trust?: Trust | undefined;
  /** Its id where it comes from, up to 512 bytes. A fact with a known id is not added again. Default: none. */
  readonly sourceId?: string | undefined;
  /** The vector of its text, from the memory's `embed`. Default: `embed` makes it later. */
  readonly embedding?: Vector | undefined;
}

/** What `facts.update` may change; what is left out stays. */
export interface FactChanges {
  readonly text?: string | undefined;
  readonly category?: Category | undefined;
  /** 1 to 10. */
  readonly significance?: number | undefined;
  /** Takes the place of the old metadata. */
  readonly metadata?: Metadata | undefined;
  /** Since when it is true. */
  readonly validFrom?: Time | undefined;
  /** Until when it was true. A fact that has ended leaves recall; lists show it on request. `null` for no end. */
  readonly validTo?: Time | null | undefined;
  /** When it is deleted; `null` for never. */
  readonly expiresAt?: Time | null | undefined;
}

/** A stored fact. */
export interface Fact {
  id: string;
  text: string;
  category: Category;
  /** 1 to 10. */
  significance: number;
  /** Whether learning leaves it as it is. */
  pinned: boolean;
  metadata: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
  /** Since when it is true. */
  validFrom: number;
  /** Until when it was true; absent while it holds. */
  validTo?: number;
  /** Absent when it is kept for ever. */
  expiresAt?: number;
  /** When it was last recalled or found, to the hour; absent when it never was, and in `asOf`. */
  lastAccessedAt?: number;
  revision: number;
  origin: Origin;
  /** As the least trusted of what it comes from. */
  trust: Trust;
  /** The id of the fact that it replaced; absent when it replaced none. */
  supersedes?: string;
  /** Empty when the app wrote it itself. */
  source: Source[];
}

/** Who wrote it: the app or its user, a model, or the rules that need no model. */
export type Origin = "user" | "model" | "rules";

/** Why a commit was made. */
export type Cause = "remember" | "extract" | "user" | "undo" | "embed" | "expire" | "access" | "tool" | "forget";

/** One version of an item, with its cause. */
export interface Revision {
  revision: number;
  at: number;
  commitId: string;
  cause: Cause;
  /** Whether this version deletes the item; then it has no content. */
  deleted: boolean;
  /** The value of a field; for other items, what is stored beside the text. Absent when deleted. */
  value?: unknown;
  /** The words of a fact or message. */
  text?: string;
  /** What the conversation alone said, if the value merges that with the earlier one; fields only. */
  extracted?: unknown;
  /** What was said that led to it; fields only. */
  context?: string;
  /** The labels of this revision; absent when it has none. */
  labels?: Labels;
  /** Whether it was pinned; absent when deleted. */
  pinned?: boolean;
  /** When it was to expire; absent when it was kept for ever. */
  expiresAt?: number;
  /** Since when it was true; absent when deleted. */
  validFrom?: number;
  /** Until when it was true; absent while it holds. */
  validTo?: number;
  source: Source[];
}

/** Where a value breaks its schema. */
export interface Violation {
  /** JSON Pointer to the part of the value at fault; empty for the whole. */
  instance: string;
  /** JSON Pointer into the schema, to the keyword that is broken. */
  keyword: string;
  message: string;
}

/** One remembered field of a profile. */
export interface ProfileField<Value = unknown> {
  id: string;
  value: Value;
  revision: number;
  updatedAt: number;
  /** Absent when it is kept for ever. */
  expiresAt?: number;
  metadata: Record<string, unknown>;
  /** Whether learning leaves it as it is. */
  pinned: boolean;
  /** Why it has this value, in a sentence; absent when the app set it. */
  context?: string;
  origin: Origin;
  /** As the least trusted of what it comes from. */
  trust: Trust;
  source: Source[];
  /** Where the value breaks the current schema; such a value is kept but is not part of `profile`. Absent when it validates. */
  stale?: Violation[];
}

/** One thread of a scope. */
export interface Thread {
  threadId: string;
  /** How many messages it has. */
  messages: number;
  firstAt: number;
  lastAt: number;
}

/** A summary of a thread, a week or a month. */
export interface Summary {
  /** Its id, for `history` and `explain`. */
  id: string;
  level: "thread" | "week" | "month";
  /** The thread; absent for weeks and months. */
  threadId?: string;
  /** When the week (Monday, UTC) or the month began; absent for threads. */
  period?: number;
  text: string;
  /** The tokens of the text. */
  tokens: number;
  /** How many messages it covers; for a thread, these are the first ones. */
  messages: number;
  /** When the first and the last of them were said. */
  from: number;
  to: number;
  updatedAt: number;
  revision: number;
  /** The last message it covers; absent for weeks and months. */
  upToMessage?: string;
  /** The messages that this revision added; earlier revisions name the others. Empty for weeks and months. */
  source: Source[];
}

/** What `remember` did. */
export interface Remembered {
  threadId: string;
  /** One id per message, in order. */
  messageIds: string[];
  /** For `undo`; absent when every message was known already. */
  commitId?: string;
  /** The secrets that were masked in messages; absent when there were none. */
  masked?: Masked[];
}

/** One change made by learning. */
export interface LearnedChange {
  action: "created" | "updated" | "deleted";
  /** The item as it is now, or as it was before it was deleted. */
  record: Item;
  /** Absent when it is new. */
  previousRevision?: number;
}

/** What a call learned. */
export interface Taught {
  /** Empty when there was nothing to learn, and with `review`, where changes wait in `proposals`. */
  changes: LearnedChange[];
  /** The model requests it took. */
  usage: ModelUsage;
}

/** What `generate` did. */
export interface Generated extends Remembered, Taught {}

/** Labels of a revision: up to 16 short texts by name. */
export interface Labels {
  readonly [name: string]: string;
}

/** The difference between two revisions of a field. */
export interface Difference {
  before: unknown;
  after: unknown;
  /** The smallest parts that differ; empty when the values are equal. */
  changes: Array<{
    /** JSON Pointer to the part; empty for the whole value. */
    path: string;
    /** Absent when nothing was there. */
    before?: unknown;
    /** Absent when nothing is there. */
    after?: unknown;
  }>;
}

/** The sections of a prompt, in the order in which they appear. */
export type PromptSection =
  | "instructions"
  | "blocks"
  | "profile"
  | "facts"
  | "episodes"
  | "graph"
  | "summaries"
  | "summary"
  | "messages"
  | "question";

/** One line of a recall. */
export interface RecallItem extends Scored {
  section: PromptSection;
  kind: Kind;
  id: string;
  /** The line, as it stands in the text of the recall. */
  text: string;
  /** By your `countTokens`, or estimated. */
  tokens: number;
  /** How much a fact matters, 1 to 10; absent for fields and messages. */
  significance?: number;
  createdAt: number;
  source: Source[];
}

/** What is relevant to a query. */
export interface Recalled {
  /** Ready for a prompt; empty when nothing is relevant. */
  text: string;
  /** The tokens of `text`; never more than `maxTokens`. */
  tokens: number;
  items: RecallItem[];
  /** What could not be used, such as an embedder that failed; absent when nothing failed. */
  warnings?: Failure[];
}

/** A failure that could not reject a promise. */
export interface Failure {
  /** The code that the error would have. */
  code: ErrorCode;
  message: string;
  /** Particulars for machines; absent when there are none. */
  details?: Record<string, unknown>;
}

/** Where an item comes from. */
export interface Explanation {
  id: string;
  kind: Kind;
  text: string;
  revision: number;
  cause: Cause;
  commitId: string;
  at: number;
  /** Absent for messages. */
  origin?: Origin;
  /** What was said that led to it; fields only. */
  context?: string;
  /** The words it was learned from, with their messages if they are still stored. */
  source: Array<Source & { role?: Role; message?: string; createdAt?: number }>;
}

/** What `undo` did. */
export interface Undone {
  /** The commit of the undo, which can be undone too. Absent when there was nothing left to undo. */
  commitId?: string;
  changes: Action[];
}

/** Model calls and their cost. */
export interface ModelUsage {
  calls: number;
  /** Sent, as reported by the model or estimated. */
  inputTokens: number;
  /** Received, as reported by the model or estimated. */
  outputTokens: number;
  failures: number;
}

/** What a memory has used since it was opened, and what it holds. */
export interface Usage extends ModelUsage {
  byPurpose: { [purpose: string]: ModelUsage };
  records: number;
  scopes: number;
  commits: number;
  vectors: number;
  /** Items waiting for a vector; they are found by words until then. */
  unembedded: number;
  /** Waiting background tasks. */
  pending: number;
}

/** What `verify` found. */
export interface Verification {
  /** Whether nothing is damaged. */
  ok: boolean;
  /** The storage keys whose bytes are damaged; empty when none are. */
  damage: Array<{ key: string; message: string }>;
  commits: number;
  records: number;
  /** How many segments there are. */
  segments: number;
  /** How many commits are not folded yet. */
  tail: number;
}

/** One kind of work in the background, of a scope or of the whole memory. */
export interface BackgroundJob {
  /**
   * `learning` from messages, moves and distillation of `tiers`, `summaries`, `embedding`, `expiry` once after opening; `accesses` and
   * `visits` are noted together, now and then.
   */
  kind: "learning" | "tiers" | "summaries" | "embedding" | "expiry" | "accesses" | "visits";
  /** Missing for what is done for the whole memory at once. */
  scope?: ScopePairs;
  /** How much waits: batches of messages, texts, accesses; 1 where it is not counted. */
  waiting: number;
  /** Whether it may be done now. With `extraction.auto: false`, learning and tiers wait all the same for a call that does it. */
  due: boolean;
  running: boolean;
  /** When it is due, or is tried again; missing when it is due now or waits for more. */
  nextAt?: number;
  /** Failures in a row since it last succeeded or the memory was opened. */
  failures: number;
  /** The last failure. */
  error?: Failure;
}

/** The background work that is left when none can continue now. */
export interface Idle {
  /** Tasks that wait for more messages, as `extraction.trigger` says, or for a model that failed. */
  pending: number;
  /** What failed in the background and is tried again; empty when nothing did. */
  failed: Array<{
    kind: BackgroundJob["kind"];
    /** Missing for what is done for the whole memory at once. */
    scope?: ScopePairs;
    /** For learning: the thread whose messages wait. */
    threadId?: string;
    attempts: number;
    /** When it is retried, if the memory is open then. */
    retryAt: number;
    error: Failure;
  }>;
}
