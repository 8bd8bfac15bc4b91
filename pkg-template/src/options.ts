/** What an app says when it opens a memory. */
import type { ContextOptions } from "./context.js";
import type { Memory } from "./memory.js";
import type { Embedder, Llm } from "./models.js";
import type { ProfileSchemas } from "./schema.js";
import type { StorageObject } from "./storage.js";

/** What a memory is opened with. */
export interface MemoryOptions<Schemas extends ProfileSchemas = {}> {
  /** Names the database: 1 to 64 of `A-Z a-z 0-9 . _ -`. Memories of one name and storage are one memory. */
  readonly name: string;
  /**
   * Where it is kept. `"auto"` is IndexedDB, or localStorage (about 5 MB) where there is no IndexedDB; `"memory"` ends with the
   * page. Default: `"auto"` in browsers; must be given elsewhere.
   *
   * Tabs of one page tell one another what they wrote. Two memories on one object do not: each sees what the other wrote when
   * it writes next itself, so open one per object.
   */
  readonly storage?: "auto" | "indexeddb" | "localstorage" | "memory" | StorageObject | undefined;
  /** `"strict"`: what resolved survives a loss of power; `"relaxed"`: it survives a crash of the tab. Default: `"strict"`. */
  readonly durability?: "strict" | "relaxed" | undefined;
  /** Extracts facts and profile fields from conversations. Default: none, only built-in rules extract. */
  readonly llm?: Llm | undefined;
  /** Finds by meaning. Default: a built-in one, which sees likeness of words. */
  readonly embed?: Embedder | undefined;
  /**
   * Counts the tokens of a text as your model does, at once. A text for which it throws, or answers no whole number from 0, is
   * estimated, and the event `"error"` tells so once. Default: an estimate, within 15 % of `o200k_base` for texts of some
   * hundred characters in English, Korean, Japanese, Chinese and code.
   */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Schemas of the profiles, by id. Default: none. */
  readonly profiles?: Schemas | undefined;
  readonly extraction?: ExtractionOptions | undefined;
  readonly documents?: DocumentOptions | undefined;
  /** How the window of the model is used in `context`. */
  readonly context?: ContextOptions | undefined;
  readonly summaries?: SummaryOptions | undefined;
  readonly tiers?: TierOptions | undefined;
}

/** How conversations are summarised. Requests to the `llm` have the purpose `"summarise"`. */
export interface SummaryOptions {
  /**
   * Whether summaries are also made in the background, each by a request of its own: about one for ten messages, with up to 8000
   * tokens of them. They stand at the head of the windows of `context.step` too, which makes its own otherwise. Default: false;
   * `threads.summarise` makes one when it is called.
   */
  readonly auto?: boolean | undefined;
  /**
   * `"sliding"`: the last `keep` messages stay out of the summary, for the prompt has them word for word; `"recursive"`: none
   * does. Default: `"sliding"`.
   */
  readonly method?: "sliding" | "recursive" | undefined;
  /** How many messages `"sliding"` keeps out, 0 to 1000. Default: 10. */
  readonly keep?: number | undefined;
  /** So many more have to wait before they go into the summary, 1 to 1000. Default: 10. */
  readonly messages?: number | undefined;
  /** Or so many tokens of them, 1 to 1 000 000. Default: no such limit. */
  readonly tokens?: number | undefined;
  /** A week is made of its threads' summaries when it is over, a month of its weeks'. Default: all three. */
  readonly levels?: ReadonlyArray<"thread" | "week" | "month"> | undefined;
}

/** How documents are kept for which a call says nothing else. */
export interface DocumentOptions {
  /** Which parts are searched, as `documents.put` takes them. Default: `["$"]`, all of it. */
  readonly index?: readonly string[] | false | undefined;
  /** How many minutes a document is kept; `false`: for ever. Default: `false`. */
  readonly ttlMinutes?: number | false | undefined;
  /** Whether a read lets the time to live begin anew, once less than nine tenths of it are left. Default: true. */
  readonly refreshOnRead?: boolean | undefined;
}

/** The numbers of the tiers, after "Memory OS of AI Agent". */
export interface TierOptions {
  /** So many pages stand in the queue of the latest, 1 to 100. Default: 7. */
  readonly capacity?: number | undefined;
  /** So many segments there are, 1 to 2000; the coldest goes first. Default: 200. */
  readonly segments?: number | undefined;
  /** From this likeness on (cosine and share of common keywords, 0 to 2) a page joins a segment. Default: 0.6. */
  readonly similarity?: number | undefined;
  /** From this heat on a segment is distilled. Default: 5. */
  readonly heat?: number | undefined;
  /** What a visit adds to the heat. Default: 1. */
  readonly alpha?: number | undefined;
  /** What a page that was not distilled yet adds to it. Default: 1. */
  readonly beta?: number | undefined;
  /** What a visit just now adds to it; less with time. Default: 1. */
  readonly gamma?: number | undefined;
  /** In how many seconds that falls to 1/e. Default: 1e7, about 116 days. */
  readonly mu?: number | undefined;
  /**
   * So many distilled facts, and statements about the assistant, are kept, 1 to 1000; the oldest goes first, also when a proposal
   * is accepted. Default: 100.
   */
  readonly knowledge?: number | undefined;
  /** So many segments a retrieval answers, 1 to 100. Default: 5. */
  readonly topSegments?: number | undefined;
  /** So many of their pages, 1 to 100. Default: 10. */
  readonly topPages?: number | undefined;
  /** So many facts, and statements about the assistant, 1 to 100. Default: 10. */
  readonly topKnowledge?: number | undefined;
}

/**
 * When messages that wait are learned from: as soon as one of these is so. Times are counted from when they were stored, so
 * a reload does not begin them anew.
 */
export interface Trigger {
  /** So many messages of a thread wait, or as many as one request takes, 1 to 100. Default: 8. */
  readonly messages?: number | undefined;
  /** No message came to the thread for so long, up to 30 days. Default: 60 000. */
  readonly idleMs?: number | undefined;
  /** The first of them has waited so long, whatever else comes, up to 30 days. Default: no such limit. */
  readonly everyMs?: number | undefined;
}

/** How long things are kept when nobody says so for each of them; up to 100 years. */
export interface Ttl {
  /** Facts and fields that the app writes. Default: for ever. */
  readonly addedMs?: number | undefined;
  /** What learning creates. Default: for ever. */
  readonly learnedMs?: number | undefined;
  /** What learning updates is kept at least so much longer; never shorter than before. Default: no longer than before. */
  readonly relearnedMs?: number | undefined;
  /**
   * For so long after another one took its place a revision is shown, in histories, `asOf` and `rollback`. It is not removed
   * from the storage by it. Default: 365 days.
   */
  readonly revisionsMs?: number | undefined;
}

/** How the background extraction runs. */
export interface ExtractionOptions {
  /**
   * Whether messages are learned from in the background. Default: true; when false, they wait until `flush`, or until a memory
   * that extracts is opened; pages of the tiers wait likewise until `tiers.update`. Two tabs may both ask a model about the same messages, but only the first answer is kept.
   */
  readonly auto?: boolean | undefined;
  /** When a model is asked about messages that wait; rules learn at once. */
  readonly trigger?: Trigger | undefined;
  /** So many earlier messages of the thread are shown to the model again, to understand the others, 0 to 100. Default: 4. */
  readonly overlap?: number | undefined;
  /** Gives the model this long, 1 ms to an hour. Default: 60 000. */
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
  /** Whether what is learned waits as proposals for the user's yes. Default: false. */
  readonly review?: boolean | undefined;
  /** What facts are to be about, at most 32 topics. Default: whatever matters in later conversations. */
  readonly topics?: readonly Topic[] | undefined;
  /** Conversations and what to keep of them, 32 at most and 32 KiB in all; no facts teach what not to keep. Default: none. */
  readonly examples?: readonly ExtractionExample[] | undefined;
  /** Whether facts say "I ..." or "The user ...". Default: `"third"`. */
  readonly person?: "first" | "third" | undefined;
  /** The language facts are written in, such as `"Korean"`. Default: that of the message they come from. */
  readonly language?: string | undefined;
  /** Prompts in place of the built-in ones, by name, such as `"extract.facts"`; they must have the same `{{places}}`. */
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
