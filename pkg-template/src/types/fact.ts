/** Facts. */
import type { Vector } from "../models.js";
import type { Metadata, Time } from "./call.js";
import type { Origin, Source, Trust } from "./source.js";

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

/**
 * Since and until when something is true, as precisely as that is known: `"2021-05-14"`, `"2021-05"`, `"spring 2021"`, `"2021"` or
 * `"1990s"`.
 */
export interface Dates {
  since?: string;
  until?: string;
}

/** A fact to store. */
export interface NewFact {
  /** One statement that can be understood on its own. */
  readonly text: string;
  /** Default: `"other"`. */
  readonly category?: Category | undefined;
  /** How much it matters, 1 to 10. Default: 5. */
  readonly significance?: number | undefined;
  readonly metadata?: Metadata | undefined;
  /** Since when it is true. Default: now. */
  readonly validFrom?: Time | undefined;
  /**
   * The same in words, with its precision, and until when. Then `validFrom` is the first moment of `since`. Default: the day of
   * `validFrom`, if that is given; `{}` when it only says when the fact was said.
   */
  readonly dates?: Readonly<Dates> | undefined;
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
  /** Replaces the old metadata. */
  readonly metadata?: Metadata | undefined;
  /** Since when it is true. */
  readonly validFrom?: Time | undefined;
  /** Until when it was true. A fact that has ended leaves recall; lists show it on request. `null` for no end. */
  readonly validTo?: Time | null | undefined;
  /** Since and until when it is true, in place of what was said before; `validFrom` and `validTo` follow. */
  readonly dates?: Readonly<Dates> | undefined;
  /** When it is deleted; `null` for never. */
  readonly expiresAt?: Time | null | undefined;
}

/** A current fact that contradicts another one. */
export interface Contested {
  id: string;
  text: string;
  /** Since when it is true. */
  validFrom: number;
  /** Since and until when, as it was said. Absent if it was not said. */
  dates?: Dates;
  origin: Origin;
  /** The trust of its least trusted source. */
  trust: Trust;
  /** Empty when the app wrote it itself. */
  source: Source[];
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
  /** Until when it is true; absent while no end is known. */
  validTo?: number;
  /** Both dates as they were said. Absent if none was said; `validFrom` is then when the fact was said or added. */
  dates?: Dates;
  /** Absent when it is kept for ever. */
  expiresAt?: number;
  /** When it was last recalled or found, to the hour; absent when it never was, and in `asOf`. */
  lastAccessedAt?: number;
  revision: number;
  origin: Origin;
  /** The trust of its least trusted source. */
  trust: Trust;
  /** The id of the fact that it replaced; absent when it replaced none. */
  supersedes?: string;
  /** The id of the fact that replaced it; absent when none did, or when that was deleted or forgotten. */
  supersededBy?: string;
  /**
   * Other current facts that contradict it, the newest five first: in what `facts.search` finds, and what `facts.get` and
   * `facts.list` return with `contested: true`. Absent when none does.
   */
  contested?: Contested[];
  /** Empty when the app wrote it itself. */
  source: Source[];
}
