/** The fields of profiles. */
import type { Origin, Source, Trust } from "./source.js";

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
  /** The trust of its least trusted source. */
  trust: Trust;
  source: Source[];
  /** Where the value breaks the current schema; such a value is kept but is not part of `profile`. Absent when it validates. */
  stale?: Violation[];
}

/** Where a value breaks its schema. */
export interface Violation {
  /** JSON Pointer to the part of the value at fault; empty for the whole. */
  instance: string;
  /** JSON Pointer into the schema, to the keyword that is broken. */
  keyword: string;
  message: string;
}
