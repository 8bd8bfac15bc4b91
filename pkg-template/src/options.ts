/** What an app says when it opens a memory. */
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
   */
  readonly storage?: "auto" | "indexeddb" | "localstorage" | "memory" | StorageObject | undefined;
  /** `"strict"`: what resolved survives a loss of power; `"relaxed"`: it survives a crash of the tab. Default: `"strict"`. */
  readonly durability?: "strict" | "relaxed" | undefined;
  /** Extracts facts and profile fields from conversations. Default: none, only built-in rules extract. */
  readonly llm?: Llm | undefined;
  /** Finds by meaning. Default: a built-in one, which sees likeness of words. */
  readonly embed?: Embedder | undefined;
  /** Schemas of the profiles, by id. Default: none. */
  readonly profiles?: Schemas | undefined;
  readonly extraction?: ExtractionOptions | undefined;
  readonly documents?: DocumentOptions | undefined;
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

/** How the background extraction runs. */
export interface ExtractionOptions {
  /**
   * Whether messages are extracted as they are remembered. Default: true; when false, they wait until a memory that extracts
   * is opened. Two tabs may both ask a model about the same messages, but only the first answer is kept.
   */
  readonly auto?: boolean | undefined;
  /** Waits this long for more messages before a model is asked, up to an hour. Default: 300. */
  readonly delayMs?: number | undefined;
  /** Gives the model this long, 1 ms to an hour. Default: 60 000. */
  readonly timeoutMs?: number | undefined;
  /** At most this many messages go into one request, 1 to 100. Default: 20. */
  readonly maxMessages?: number | undefined;
}

/** Opens memories. */
export type OpenMemory = <const Schemas extends ProfileSchemas = {}>(
  options: MemoryOptions<Schemas>,
) => Promise<Memory<Schemas>>;
