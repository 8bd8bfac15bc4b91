/** The plain values that go in and come out. All times that come out are milliseconds since 1970 UTC. */
import type { ErrorCode } from "./errors.js";
import type { Item } from "./items.js";
import type { Vector } from "./models.js";

/** A moment that goes in: milliseconds since 1970 UTC, or a `Date`. */
export type Time = number | Date;

/** What every call that waits takes. */
export interface CallOptions {
  /**
   * Aborts the call. Aborted before it starts, nothing happens; aborted later, the promise rejects with `AbortedError` and
   * the engine may still finish what it began: what is already durable stays.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Whose memory it is: 1 to 5 pairs of non-empty strings without `*`; order does not matter. */
export interface ScopePairs {
  readonly [key: string]: string;
}

/** Free data that an app keeps with an item. A `Date` inside is kept as an ISO 8601 string. */
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

/** A part of a message that is no text, such as an image reference or a tool call: kept, never searched. */
export interface OtherPart {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** One part of a message. */
export type Part = TextPart | OtherPart;

/** A call of a tool: whatever the chat API needs, with an id that its result names. */
export interface ToolCall {
  readonly id: string;
  readonly [property: string]: unknown;
}

/** A call as the types of chat APIs have it, or as an object of your own. */
export type GivenToolCall = ToolCall | { readonly id: string };

/** A message to remember. */
export interface Message {
  readonly role: Role;
  /** Null only beside tool calls. */
  readonly content: string | readonly Part[] | null;
  /** The tools it calls, as chat APIs write them; parts of type `"tool_call"` or `"tool_use"` are calls as well. */
  readonly toolCalls?: readonly GivenToolCall[] | undefined;
  /** The same by the name of OpenAI's API. */
  readonly tool_calls?: readonly GivenToolCall[] | undefined;
  /** The call that a tool's message is the result of; parts of type `"tool_result"` are results as well. */
  readonly toolCallId?: string | undefined;
  /** The same by the name of OpenAI's API. */
  readonly tool_call_id?: string | undefined;
  /** Your own id; a message whose id the thread has already replaces that one, or is not stored again when it is equal. Default: an id the engine makes. */
  readonly id?: string | undefined;
  /** The name of the speaker or tool. */
  readonly name?: string | undefined;
  /** When it was written. Default: now. */
  readonly createdAt?: Time | undefined;
  readonly metadata?: Metadata | undefined;
}

/** A message as it is kept. */
export interface StoredMessage {
  /** Its id in the memory, which `history` and `explain` take. */
  id: string;
  /** Your own id for it; absent when you gave none. */
  messageId?: string;
  threadId: string;
  role: Role;
  /** Empty when null was given. */
  content: string | Part[];
  /** The tools it calls; absent when it calls none. */
  toolCalls?: ToolCall[];
  /** The call it is the result of; absent when it is none, or names it in a part. */
  toolCallId?: string;
  name?: string;
  createdAt: number;
  metadata: Record<string, unknown>;
}

/** Where something comes from: the words of a message. */
export interface Source {
  messageId: string;
  threadId: string;
  /** The words themselves; empty when the message as a whole is the source. */
  quote: string;
}

/** What an item is. */
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
  /** `"unchanged"` when the item had that content already; then no commit was made for it. */
  action: "created" | "updated" | "deleted" | "unchanged";
  id: string;
  kind: Kind;
  revision: number;
  /** Absent when the item is new or unchanged. */
  previousRevision?: number;
  /** What `undo` takes; absent when the item is unchanged. */
  commitId?: string;
}

/** How a score came about. */
export interface ScoreTerms {
  /** What shared words add to it. */
  words: number;
  /** What nearness in meaning adds to it. */
  meaning: number;
  /** The BM25 score itself; absent when no word is shared. */
  wordsRaw?: number;
  /** The cosine itself; absent when it is not among the nearest. */
  meaningRaw?: number;
  /** `words` and `meaning` together, as they go into a product or sum; absent in the mode `"relevance"`. */
  relevance?: number;
  /** How lately it was recalled, found or changed, as it goes into a product or sum; absent in the mode `"relevance"`. */
  recency?: number;
  /** How much it matters, as it goes into a product or sum; absent in the mode `"relevance"`. */
  significance?: number;
  /** What the three weigh; only in the mode `"sum"`. */
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
  /** What is left of recency after each hour, over 0 and up to 1. Default: 0.995. */
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

/** A fact to keep. */
export interface NewFact {
  /** One statement that stands by itself. */
  readonly text: string;
  /** Default: `"other"`. */
  readonly category?: Category | undefined;
  /** How much it matters, 1 to 10. Default: 5. */
  readonly significance?: number | undefined;
  readonly metadata?: Metadata | undefined;
  /** Since when it is true. Default: now. */
  readonly validFrom?: Time | undefined;
  /** When it is to be forgotten. Default: never. */
  readonly expiresAt?: Time | undefined;
  /** Its name where it comes from, up to 512 bytes: what is kept under a name is not kept again. Default: none. */
  readonly sourceId?: string | undefined;
  /** The vector of its text by the memory's `embed`. Default: `embed` makes it afterwards. */
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
  /** Until when it was true: what has ended leaves recall, and stays in lists that ask for it. `null` for no end. */
  readonly validTo?: Time | null | undefined;
  /** When it is to be forgotten; `null` for never. */
  readonly expiresAt?: Time | null | undefined;
}

/** A fact as it is kept. */
export interface Fact {
  id: string;
  text: string;
  category: Category;
  /** 1 to 10. */
  significance: number;
  /** Whether the user wants it kept as it is. */
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
  /** When it was last recalled or found, to the hour; absent when it never was, and in the past. */
  lastAccessedAt?: number;
  revision: number;
  origin: Origin;
  /** The id of the fact whose place it took; absent when it took none's. */
  supersedes?: string;
  /** Empty when the app wrote it itself. */
  source: Source[];
}

/** Who said so: the app or its user, a model, or rules that need no model. */
export type Origin = "user" | "model" | "rules";

/** Why a commit was made. */
export type Cause = "remember" | "extract" | "user" | "undo" | "embed" | "expire" | "access";

/** One version of an item, with why it came to be. */
export interface Revision {
  revision: number;
  at: number;
  commitId: string;
  cause: Cause;
  /** Whether this version is the end of the item; then it has no content. */
  deleted: boolean;
  /** The value of a field; of other items what is kept beside the text. Absent when deleted. */
  value?: unknown;
  /** The words of a fact or message. */
  text?: string;
  /** What the conversation alone said, where the value brings that together with the one before; fields only. */
  extracted?: unknown;
  /** What was said that led to it; fields only. */
  context?: string;
  /** What this revision was called; absent when it was given no label. */
  labels?: Labels;
  /** Whether learning was to leave it as it is; absent when deleted. */
  pinned?: boolean;
  /** When it was to go by itself; absent when it was to be kept for ever. */
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
  source: Source[];
  /** Where the value breaks the schema as it is now; such a value is kept, but is not part of `profile`. Absent when it validates. */
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

/** What a thread, a week or a month was about. */
export interface Summary {
  /** For its history, which `history` and `explain` take. */
  id: string;
  level: "thread" | "week" | "month";
  /** The thread; absent for weeks and months. */
  threadId?: string;
  /** When the week (Monday, UTC) or the month began; absent for threads. */
  period?: number;
  text: string;
  /** The tokens of the text. */
  tokens: number;
  /** How many messages it covers: of a thread the first ones. */
  messages: number;
  /** When the first and the last of them were said. */
  from: number;
  to: number;
  updatedAt: number;
  revision: number;
  /** The last message it covers; absent for weeks and months. */
  upToMessage?: string;
  /** The messages that this revision took in; earlier revisions name the others. Empty for weeks and months. */
  source: Source[];
}

/** What `remember` did. */
export interface Remembered {
  threadId: string;
  /** One id per message, in order. */
  messageIds: string[];
  /** What `undo` takes; absent when every message was known already. */
  commitId?: string;
}

/** One change that learning made. */
export interface LearnedChange {
  action: "created" | "updated" | "deleted";
  /** What is there now; when it was deleted, what was there. */
  record: Item;
  /** Absent when it is new. */
  previousRevision?: number;
}

/** What was learned at once. */
export interface Taught {
  /** Empty when nothing was worth knowing, or nothing waited; with `review`, when all of it waits in `proposals`. */
  changes: LearnedChange[];
  /** What models were asked for it. */
  usage: ModelUsage;
}

/** What `generate` did. */
export interface Generated extends Remembered, Taught {}

/** What a revision is called: up to 16 short texts by name. */
export interface Labels {
  readonly [name: string]: string;
}

/** What lies between two revisions of a field. */
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

/** A part of what a model is told, in the order in which they stand there. */
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
  /** What `text` costs, estimated; never more than `maxTokens`. */
  tokens: number;
  items: RecallItem[];
  /** What could not be used, such as an embedder that failed; absent when nothing failed. */
  warnings?: Failure[];
}

/** What went wrong where no promise could be rejected. */
export interface Failure {
  /** The code that the error would have had. */
  code: ErrorCode;
  message: string;
  /** Particulars for machines; absent when there are none. */
  details?: Record<string, unknown>;
}

/** Why an item is as it is. */
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
  /** The words it rests on, with the messages as far as they are still kept. */
  source: Array<Source & { role?: Role; message?: string; createdAt?: number }>;
}

/** What `undo` did. */
export interface Undone {
  /** The commit that undid; it can be undone as well. Absent when there was nothing left to undo. */
  commitId?: string;
  changes: Action[];
}

/** Calls of models and what they cost. */
export interface ModelUsage {
  calls: number;
  /** As the model's answers told, or estimated; so are those received. */
  inputTokens: number;
  outputTokens: number;
  failures: number;
}

/** What a memory used since it was opened, and what it holds. */
export interface Usage extends ModelUsage {
  byPurpose: { [purpose: string]: ModelUsage };
  records: number;
  scopes: number;
  commits: number;
  vectors: number;
  /** Items that wait for a vector; words find them meanwhile. */
  unembedded: number;
  /** Background tasks that wait. */
  pending: number;
}

/** What `verify` found. */
export interface Verification {
  /** Whether nothing is damaged. */
  ok: boolean;
  /** Where bytes are damaged: the key of the storage. Empty when nothing is. */
  damage: Array<{ key: string; message: string }>;
  commits: number;
  records: number;
  /** How many folded parts there are. */
  segments: number;
  /** How many commits are not folded yet. */
  tail: number;
}

/** What is left when no background work can go on. */
export interface Idle {
  /** Background tasks that wait: for more messages, as `extraction.trigger` says, or for a model that failed. */
  pending: number;
  /** Empty when nothing failed. */
  failed: Array<{
    scope: ScopePairs;
    threadId: string;
    attempts: number;
    /** When it is tried again, if the memory is open then. */
    retryAt: number;
    error: Failure;
  }>;
}
