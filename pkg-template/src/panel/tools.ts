/** What every part of the panel works with. */
import type { Memory } from "../memory.js";
import type { JsonSchema } from "../schema.js";
import type { Scope } from "../scope.js";
import type { Filter, Source } from "../types.js";
import type { Changes } from "./entries/changes.js";
import type { Target } from "./forgetting/target.js";
import type { Announcer } from "./page/announcer.js";
import type { Locking } from "./panel.js";
import type { Standing } from "./sections/section.js";
import type { Words } from "./texts/words.js";

// A panel shows the profiles of any app.
export type User = Scope<any>;

/** What a page says about the panel that it shows. */
export interface Settings {
  readonly profiles: Readonly<Record<string, JsonSchema>> | undefined;
  readonly threadId: string | undefined;
  readonly messageFilter: Filter | undefined;
  readonly showSource: ((source: Source) => void) | undefined;
  readonly locking: Locking | undefined;
  /** Whether the memory has a language model. */
  readonly hasModel: boolean;
}

export interface Tools {
  readonly user: User;
  /** Undefined when the scope is elsewhere: then nothing tells of changes. */
  readonly memory: Memory | undefined;
  readonly words: Words;
  readonly settings: Settings;
  readonly changes: Changes;
  readonly announcer: Announcer;
  /** Shows everything as it is now. */
  update(): void;
  /** For what reads more than `update`: when that fails, everything is read again, which tells why if it cannot be. */
  reading(more: Promise<unknown>): void;
  /** Tells anew how much stands in a section. */
  tell(section: string, standing: Standing): void;
  /** Shows what would be forgotten, and asks. `after` is called when that is over, with whether something went. */
  forget(target: Target, after?: (forgotten: boolean) => void): void;
  /** Goes to a section; undefined when the panel does not show it. */
  readonly wayTo: (section: string) => (() => void) | undefined;
}
