/** The options of `openMemory`. */
import type { ContextOptions } from "./context.js";
import type { Durability } from "./durability.js";
import type { EncryptionKey } from "./encryption.js";
import type { Memory } from "./memory.js";
import type { Embedder, Llm } from "./models.js";
import type { ProfileSchemas } from "./schema.js";
import type { CopyKind, StorageName, StorageObject } from "./storage.js";

/** The options of `openMemory`. */
export interface MemoryOptions<Schemas extends ProfileSchemas = {}> {
  /** The name of the database: 1 to 64 of `A-Z a-z 0-9 . _ -`. The same name and storage open the same memory. */
  readonly name: string;
  /**
   * Where the memory is stored. `"memory"` ends with the page. The storages of a list are tried in order: those that the browser
   * refuses are skipped, and `memory.health()` says why. `"auto"` opens an existing memory in the storage that holds it, and
   * creates a new one in IndexedDB, or in localStorage (about 5 MB) if there is none; with `worker: true` and without `copy`, in
   * OPFS if there is one, otherwise in IndexedDB. It never falls back to `"memory"`. While a memory of the name is in another of
   * IndexedDB, OPFS and localStorage, no second one is created: a single storage fails with `StorageError`, and of a list the
   * storage that has the memory is opened. Default: `"auto"` in browsers; required elsewhere.
   *
   * Tabs notify one another of what they write. Two memories on one storage object do not: each sees the other's writes only when it
   * writes itself, so open one per object.
   */
  readonly storage?: "auto" | StorageName | readonly StorageName[] | StorageObject | undefined;
  /** `"strict"`: a resolved call survives a power failure; `"relaxed"`: a crash of the tab. Default: `"strict"`. */
  readonly durability?: Durability | undefined;
  /**
   * A second copy in browsers, from which a memory that the browser lost or damaged is restored on opening: `"opfs"` is the origin
   * private file system, `"bucket"` the same in a storage bucket of its own (Chromium). Encrypted values stay encrypted in it. It
   * is at most a second behind; forgotten data leaves it before the call resolves. Default: none.
   */
  readonly copy?: CopyKind | undefined;
  /**
   * Asks the browser not to delete the site's data when space runs out, which may prompt the user. `memory.health()` has the
   * outcome. Default: false.
   */
  readonly persist?: boolean | undefined;
  /**
   * Runs the engine in a worker of the browser, so that the page stays responsive. `true`: a worker that the memories of this page
   * share. `"shared"`: one that all pages of the origin share, where there are shared workers, otherwise the same as `true`. A
   * function returns a `Worker` or `SharedWorker` of yours, whose script calls `serveMemories()` of `mnemic/worker`. Default:
   * false.
   */
  readonly worker?: boolean | "shared" | (() => EventTarget) | undefined;
  /** Learns facts and profile fields from conversations. Default: none; built-in rules learn instead. */
  readonly llm?: Llm | undefined;
  /** Finds texts by meaning. Default: a built-in embedder, which knows what common English, Korean, Japanese and Chinese words mean, and words of any language by their parts. */
  readonly embed?: Embedder | undefined;
  /**
   * Counts the tokens of a text as your model does, synchronously. If it throws or returns something other than a whole number from
   * 0, that text is estimated and the event `"error"` reports it once. Default: an estimate, within 15 % of `o200k_base` for texts of
   * some hundred characters in English, Korean, Japanese, Chinese and code.
   */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Schemas of the profiles, by id. Default: none. */
  readonly profiles?: Schemas | undefined;
  readonly extraction?: ExtractionOptions | undefined;
  readonly history?: HistoryOptions | undefined;
  readonly guard?: GuardOptions | undefined;
  readonly documents?: DocumentOptions | undefined;
  /** How the window of the model is used in `context`. */
  readonly context?: ContextOptions | undefined;
  readonly summaries?: SummaryOptions | undefined;
  readonly tiers?: TierOptions | undefined;
  /**
   * How many bytes of RAM the memory may take while it is open, 16 MiB to 1280 MiB (2 ** 20 bytes). A write that would not fit fails with
   * `QuotaExceededError` before anything is stored, and so does opening one that is larger. `memory.health()` says how much it
   * takes. With a storage that has `readAt`, only what must be in RAM counts, and the rest is a cache. Default: 1024 MiB.
   */
  readonly maxMemoryBytes?: number | undefined;
  /**
   * Keeps the prompts and replies of the last 100 requests to the language model in memory, for `memory.inspect()` and the page of
   * `mnemic/devtools`. They hold what the user said, so leave it off where others could look. Default: false.
   */
  readonly keepPrompts?: boolean | undefined;
  /**
   * Encrypts all that is stored: `{ passphrase }`, `{ passkey: true }` or `{ key }`. A memory that is not encrypted yet is
   * encrypted in place when it is opened; an encrypted one can only be opened with this option. Default: none.
   */
  readonly encryption?: EncryptionKey | undefined;
}

/** What is looked for before anything is stored, embedded or sent to a model. */
export interface GuardOptions {
  /**
   * What to do with keys, private keys, card numbers, passwords and IBANs in messages, facts, fields, the graph, episodes,
   * instructions, blocks, passages and pages. `"mask"` puts a placeholder such as `[card]` in their place, `"refuse"` rejects the
   * call with `SecretError`, `"keep"` stores them. Documents and metadata are your app's own data and stay as they are. Default:
   * `"mask"`.
   */
  readonly secrets?: "mask" | "refuse" | "keep" | undefined;
  /**
   * Countries whose national identity numbers are secrets too: the German tax number, the Spanish DNI and NIE, the French NIR,
   * Aadhaar, My Number, the Korean registration number, the US social security number. Default: none.
   */
  readonly nationalIds?: ReadonlyArray<"de" | "es" | "fr" | "in" | "jp" | "kr" | "us"> | undefined;
}

/** How conversations are summarised. Requests to the `llm` have the purpose `"summarise"`. */
export interface SummaryOptions {
  /**
   * Whether summaries are also written in the background, each by one request: about one per ten messages, with up to 8000 tokens of
   * messages. `context.step` continues the same summary. Default: false; `threads.summarise` writes one when called.
   */
  readonly auto?: boolean | undefined;
  /**
   * `"sliding"` leaves the last `keep` messages out of the summary, because the prompt has them word for word; `"recursive"`
   * summarises all. Default: `"sliding"`.
   */
  readonly method?: "sliding" | "recursive" | undefined;
  /** How many messages `"sliding"` leaves out, 0 to 1000. Default: 10. */
  readonly keep?: number | undefined;
  /** How many more messages must be waiting before they go into the summary, 1 to 1000. Default: 10. */
  readonly messages?: number | undefined;
  /** Or how many tokens of them, 1 to 1 000 000. Default: no such limit. */
  readonly tokens?: number | undefined;
  /** Weeks are summarised from their threads when they are over, and months from their weeks. Default: all three. */
  readonly levels?: ReadonlyArray<"thread" | "week" | "month"> | undefined;
}

/** Defaults for documents; a call may override them. */
export interface DocumentOptions {
  /** Which parts are indexed, in the form that `documents.put` takes. Default: `["$"]`, all of it. */
  readonly index?: readonly string[] | false | undefined;
  /** How many milliseconds a document is kept; `false` means for ever. Default: `false`. */
  readonly ttlMs?: number | false | undefined;
  /** Whether a read restarts the lifetime once a tenth of it has passed. Default: true. */
  readonly refreshTtl?: boolean | undefined;
  /** What holds below some namespaces instead, of up to 100; the longest prefix counts. Default: none. */
  readonly namespaces?: ReadonlyArray<{ readonly prefix: readonly string[] } & Omit<DocumentOptions, "namespaces">> | undefined;
}

/** The parameters of the tiers, after the paper "Memory OS of AI Agent". */
export interface TierOptions {
  /** How many pages the queue of the latest holds, 1 to 100. Default: 7. */
  readonly capacity?: number | undefined;
  /** How many segments are kept, 1 to 2000; the coldest is deleted first. Default: 200. */
  readonly segments?: number | undefined;
  /** The similarity (cosine plus share of common keywords, 0 to 2) from which a page joins a segment. Default: 0.6. */
  readonly similarity?: number | undefined;
  /** The heat from which a segment is distilled. Default: 5. */
  readonly heat?: number | undefined;
  /** What each visit adds to the heat. Default: 1. */
  readonly alpha?: number | undefined;
  /** What each page that was not distilled yet adds to it. Default: 1. */
  readonly beta?: number | undefined;
  /** What a visit just now adds to it; this decays with time. Default: 1. */
  readonly gamma?: number | undefined;
  /** After how many seconds that has decayed to 1/e. Default: 1e7, about 116 days. */
  readonly mu?: number | undefined;
  /**
   * How many distilled facts, and how many statements about the assistant, are kept, 1 to 1000; the oldest is deleted first, also
   * when a proposal is accepted. Default: 100.
   */
  readonly knowledge?: number | undefined;
  /** How many segments a retrieval returns, 1 to 100. Default: 5. */
  readonly topSegments?: number | undefined;
  /** How many of their pages, 1 to 100. Default: 10. */
  readonly topPages?: number | undefined;
  /** How many facts, and how many statements about the assistant, 1 to 100. Default: 10. */
  readonly topKnowledge?: number | undefined;
}

/**
 * When waiting messages are learned from: as soon as one of these holds. Times count from when a message was stored, so a reload
 * does not restart them.
 */
export interface Trigger {
  /** This many messages of a thread are waiting, or as many as one request takes; 1 to 100. Default: 8. */
  readonly messages?: number | undefined;
  /** The thread got no message for this long, up to 30 days. Default: 60 000. */
  readonly idleMs?: number | undefined;
  /** The first of them has waited this long, up to 30 days. Default: no such limit. */
  readonly everyMs?: number | undefined;
}

/**
 * How much of the past of each item is kept: replaced revisions, as long as all of these hold. The rest is no longer shown in
 * histories, `asOf` and `rollback`, `undo` refuses to go back to it with a `ForgottenError`, and it goes from the storage when the
 * storage is tidied: in the background, and on opening and closing if it is much. 0 keeps none.
 */
export interface HistoryOptions {
  /** How many revisions of an item, 0 to 1 000 000. Default: 100. */
  readonly revisions?: number | undefined;
  /** How long after they were replaced or deleted, in milliseconds, 0 to 100 years. Default: 365 days. */
  readonly ageMs?: number | undefined;
  /** How many bytes of them per item, 0 to 1 GiB. Default: 1 MiB. */
  readonly bytes?: number | undefined;
}

/** Default lifetimes, up to 100 years. */
export interface Ttl {
  /** Of facts and fields that the app writes. Default: for ever. */
  readonly addedMs?: number | undefined;
  /** Of what learning creates. Default: for ever. */
  readonly learnedMs?: number | undefined;
  /** What learning updates is kept at least this much longer; a lifetime is never shortened. Default: not extended. */
  readonly relearnedMs?: number | undefined;
  /**
   * What becomes of what expires: it is deleted, with its history kept, or forgotten as `forget` does, with all that rests on it.
   * Default: `"delete"`.
   */
  readonly expired?: "delete" | "forget" | undefined;
}

/** How the background extraction runs. */
export interface ExtractionOptions {
  /**
   * Whether messages are learned from in the background. When false, they wait until `flush`, or until a memory that learns is
   * opened; pages of the tiers wait until `tiers.update`. Two tabs may ask a model about the same messages, but only the first
   * answer is kept. Default: true.
   */
  readonly auto?: boolean | undefined;
  /** When a model is asked about waiting messages; rules learn at once. */
  readonly trigger?: Trigger | undefined;
  /** How many earlier messages of the thread the model sees again as context, 0 to 100. Default: 4. */
  readonly overlap?: number | undefined;
  /** How long the model may take, 1 ms to an hour. Default: 60 000. */
  readonly timeoutMs?: number | undefined;
  /** At most this many messages go into one request, 1 to 100. Default: 20. */
  readonly maxMessages?: number | undefined;
  /** How long things are kept. */
  readonly ttl?: Ttl | undefined;
  /** Whether facts are learned. Default: true. */
  readonly facts?: boolean | undefined;
  /** Whether profile fields are learned. Default: true. */
  readonly profiles?: boolean | undefined;
  /** Whether a model also names entities and relations for the graph, in the same request. Default: true. */
  readonly graph?: boolean | undefined;
  /** Whether learned changes wait as proposals for the user's approval. Default: false. */
  readonly review?: boolean | undefined;
  /** What facts should be about, at most 32 topics. Default: whatever matters in later conversations. */
  readonly topics?: readonly Topic[] | undefined;
  /**
   * Names of people who speak for themselves, in whatever role, by the `name` of their messages; at most 32. What each says is
   * learned about them, and `metadata.about` of a fact names them. Needs an `llm`. Default: none; facts are learned only from the
   * user.
   */
  readonly participants?: readonly string[] | undefined;
  /** Example conversations with the facts to keep, at most 32 and 32 KiB in all; an empty list of facts shows what not to keep. Default: none. */
  readonly examples?: readonly ExtractionExample[] | undefined;
  /** Whether facts say "I ..." or "The user ...". Default: `"third"`. */
  readonly person?: "first" | "third" | undefined;
  /** The language facts are written in, such as `"Korean"`. Default: that of the message they come from. */
  readonly language?: string | undefined;
  /** Replacements for built-in prompts, by name, such as `"extract.facts"`; they must have the same `{{places}}`. */
  readonly prompts?: { readonly [name: string]: string } | undefined;
}

/** A topic of facts: one of those every app has, or one of the app's own. */
export type Topic =
  | "personal info"
  | "preferences"
  | "key conversation details"
  | "explicit instructions"
  | { readonly label: string; readonly description: string };

/** An example that shows a model what to keep. */
export interface ExtractionExample {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>;
  readonly facts: ReadonlyArray<{ readonly text: string; readonly topic?: string }>;
}

/** Opens memories. */
export type OpenMemory = <const Schemas extends ProfileSchemas = {}>(
  options: MemoryOptions<Schemas>,
) => Promise<Memory<Schemas>>;
