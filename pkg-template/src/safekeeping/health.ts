/** What `memory.health()` returns. */
import type { WipedEvent } from "../events.js";
import type { CopyKind, StorageKind } from "../storage.js";
import type { BackgroundJob, Failure } from "../types.js";

/** The state of a memory. */
export interface Health {
  /** Where it is stored, and what was tried before it and refused. */
  storage: { kind: StorageKind | CopyKind; refused: Array<{ kind: StorageKind; message: string }> };
  /**
   * Whether `persist` asked the browser to keep the site's data, and whether it does; `persisted` is missing where the runtime does
   * not say.
   */
  persistence: { asked: boolean; persisted?: boolean };
  /** The bytes of the memory, and those that the site uses and may use; the latter are missing where the runtime does not say. */
  bytes: { memory: number; used?: number; quota?: number };
  /** About how many bytes of memory the open memory takes, and how many it may take by `maxMemoryBytes`. */
  memory: { bytes: number; maxBytes: number };
  /** Waiting and running background work, as `memory.jobs()` lists it. */
  backlog: BackgroundJob[];
  /** When the last backup was made; missing when none is known. */
  lastBackupAt?: number;
  /** The copy: how far it is behind, and why it could not be updated; missing without the option `copy`. */
  copy?: { kind: CopyKind; lagMs: number; error?: Failure };
  /** What is known to be damaged; `memory.verify()` looks for more. */
  damage: Array<{ key: string; message: string }>;
  /** What the browser had lost when the memory was opened, or since; missing when nothing. */
  wiped?: WipedEvent;
}
