/** What a memory consists of, for those who look inside. */
import type { StorageKind } from "../storage.js";
import type { BackgroundJob, Failure } from "./background.js";
import type { Kind } from "./action.js";

/** What a memory consists of. Numbers are of the moment; bytes of memory are the most that something takes. */
export interface Inspection {
  /** When this was so. */
  at: number;
  storage: { kind: StorageKind };
  /** Living records of all scopes by kind; a `"task"` is background work of the engine. A kind without records is missing. */
  records: { [kind in Kind | "task"]?: number };
  log: InspectedLog;
  indexes: InspectedIndexes;
  memory: {
    /** How many bytes of memory the state takes. */
    memoryBytes: number;
    /** How many it may take: `maxMemoryBytes`. */
    maxMemoryBytes: number;
    /** Whether the bytes of records and vectors are read from the storage when they are needed. */
    paged: boolean;
    /** Bytes in memory that can be read again, and give way when there is no room. */
    cachedBytes: number;
  };
  /** Background work that waits, runs or failed, as `jobs` lists it. */
  queue: BackgroundJob[];
  /** The last 100 requests to the language model and the embedder since opening, oldest first. Kept in memory only. */
  requests: ModelRequest[];
}

/** The log: what is stored. */
export interface InspectedLog {
  /** Bytes of the segments and of the commits after them. */
  bytes: number;
  /** Commits that can still be read. */
  commits: number;
  /** The number of the last commit; 0 when there is none. */
  lastCommit: number;
  /** When it was made; missing when there is none. */
  lastCommitAt?: number;
  /** Immutable runs of commits, oldest first. Empty as long as the log is short. */
  segments: Array<{
    id: number;
    firstCommit: number;
    lastCommit: number;
    bytes: number;
    /** Revisions in it that can still be read. */
    revisions: number;
    /** Those of them that are the present state of a record. */
    records: number;
    /** `records` of `revisions`, 0 to 1; 1 when there are none. */
    liveShare: number;
  }>;
  /** The commits that are in no segment yet. */
  tail: { commits: number; bytes: number };
}

/** The indexes of all scopes together. */
export interface InspectedIndexes {
  /** For search by words. A term that occurs in several scopes or kinds counts for each. */
  words: { texts: number; terms: number; postings: number; bytes: number };
  /** For search by meaning. */
  vectors: {
    /** The id of the embedder. */
    embedder: string;
    count: number;
    /** How many numbers each vector has; missing when there are none. */
    dimensions?: number;
    /** Texts that still wait for a vector. */
    waiting: number;
    /** Without what is paged. */
    bytes: number;
  };
  graph: { entities: number; relations: number; bytes: number };
}

/** A request to the language model or the embedder that has ended. */
export interface ModelRequest {
  /** Such as `"extract"`; `"embed"` for vectors. */
  purpose: string;
  /** The version of the prompt, such as `"extract-7"`; missing for vectors. */
  prompt?: string;
  startedAt: number;
  durationMs: number;
  /** Sent. */
  inputTokens: number;
  /** Received. */
  outputTokens: number;
  /** Whether the numbers of tokens are estimates, because the model reported none. */
  estimated: boolean;
  /** How many texts were embedded; missing for a language model. */
  texts?: number;
  /** Why it failed, or that the answer could not be used. */
  error?: Failure;
  /** The trace and the span of the call that made it, with a hyphen between; missing for background work. */
  parent?: string;
  /** What was sent, with `keepPrompts`, until something is forgotten or locked. */
  messages?: Array<{ role: string; content: string }>;
  /** What was answered, likewise. */
  reply?: string;
}
