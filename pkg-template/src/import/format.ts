/** What can be imported, and what its formats are read into. */
import type { BackupSource } from "../backup/source.js";
import type { CallOptions, Message, NewFact } from "../types.js";

/** A format that can be read; `"mnemic"` is what `export` writes. */
export type ImportFormat = "mnemic" | "memory.jsonl" | "mem0" | "langgraph" | "chatgpt" | "claude";

/** Text, a file, bytes, parsed JSON, or text in pieces. */
export type ImportSource = string | BackupSource | AsyncIterable<string> | object;

/** Options of `import`. */
export interface ImportOptions extends CallOptions {
  /**
   * `"memory.jsonl"`: a knowledge graph, line by line; `"mem0"`: the answer of its `get_all`; `"langgraph"`: a list of store items;
   * `"chatgpt"`, `"claude"`: the `conversations.json` of a data export; `"mnemic"`: what `export` wrote. Default: `"auto"`, by the
   * shape of the data.
   */
  readonly format?: ImportFormat | "auto" | undefined;
  /** Called after every batch; for what `export` wrote, once it is taken in. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Whether to learn from imported messages, which asks the model about each conversation. Default: false. */
  readonly learn?: boolean | undefined;
  /**
   * How what `export` wrote is taken in: what is newer there (`"merge"`), or everything as it is there, and what is not there ends
   * (`"replace"`). Default: `"merge"`.
   */
  readonly mode?: "merge" | "replace" | undefined;
  /** Of an encrypted export. */
  readonly passphrase?: string | undefined;
}

/** How far an import is. */
export interface ImportProgress {
  format: ImportFormat;
  /** How many items are new. */
  done: number;
  /** How many existed already. */
  skipped: number;
  /** How many could not be imported. */
  failed: number;
  /** How many there are in total. */
  total: number;
}

/** What was imported. */
export interface Imported {
  format: ImportFormat;
  /** How many items are new: messages, documents, facts, or lines of a graph. */
  done: number;
  /** How many existed already; they were not changed. */
  skipped: number;
  /** What could not be imported; empty when all could. */
  failed: FailedItem[];
  /** The commits, oldest first; `user.undo(commitIds)` takes the import back. Empty when nothing changed. */
  commitIds: string[];
}

/** An item that could not be imported. */
export interface FailedItem {
  /** Its place in the data, such as `[2].chat_messages[0]` or `line 7`. */
  place: string;
  reason: string;
}

/** A message of a conversation. */
export interface MessageItem {
  readonly kind: "message";
  readonly place: string;
  readonly threadId: string;
  readonly message: Message & { readonly id: string };
}

/** A document. */
export interface DocumentItem {
  readonly kind: "document";
  readonly place: string;
  readonly namespace: readonly string[];
  readonly key: string;
  readonly value: Record<string, unknown>;
  /** When it was last changed there, in milliseconds; undefined when nobody said. */
  readonly updatedAt: number | undefined;
}

/** A fact. */
export interface FactItem {
  readonly kind: "fact";
  readonly place: string;
  /** Its id there; undefined when it has none. */
  readonly sourceId: string | undefined;
  readonly fact: NewFact;
}

/** A line of a graph. */
export interface LineItem {
  readonly kind: "line";
  readonly place: string;
  readonly line: string;
}

/** Something to import. */
export type Item = MessageItem | DocumentItem | FactItem | LineItem;

/** A format: how to tell it by, and how to read it. */
export interface Reader {
  readonly format: Exclude<ImportFormat, "mnemic">;
  /** Whether data looks like it. */
  recognises(data: unknown): boolean;
  /** Its items in order, and what is none. */
  read(data: unknown): Iterable<Item | FailedItem>;
}
