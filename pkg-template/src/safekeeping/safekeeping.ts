/** What becomes of a memory outside of the engine: where it is kept, whether it was lost, and how it is. */
import type { Connection } from "../connection.js";
import type { MnemicError } from "../errors.js";
import { failure, typed } from "../errors.js";
import { alone } from "../lock.js";
import type { WipedEvent } from "../events.js";
import type { CopyKind, StorageKind } from "../storage.js";
import type { BackgroundJob } from "../types.js";
import type { Health } from "./health.js";
import { readMarker, writeMarker, type Marker } from "./marker.js";
import type { Mirror } from "./mirror.js";

/** How long after a change the marker may be written. */
const MARK_MS = 1000;

/** How the engine says that the memory stands. */
export interface Standing {
  counter: number;
  lineage: string;
  records: number;
  bytes: number;
  damage: Array<{ key: string; message: string }>;
}

/** How much memory the engine says it takes, and may take. */
interface Taken {
  memoryBytes: number;
  maxMemoryBytes: number;
}

/** What opening found out. */
export interface Found {
  readonly name: string;
  readonly kind: StorageKind;
  readonly refused: Health["storage"]["refused"];
  readonly persist: boolean;
  readonly marker: Marker | undefined;
  /** Whether a marker is written. */
  readonly isMarked: boolean;
  readonly copy: CopyKind | undefined;
  readonly mirror: Mirror | undefined;
  readonly copyError: MnemicError | undefined;
  /** Whether the memory works on the copy itself. */
  readonly isOnCopy: boolean;
  /** What the copy brought back. */
  readonly restored: "all" | "some" | undefined;
}

/** Looks after an open memory. */
export class Safekeeping {
  readonly #connection: Connection;
  readonly #found: Found;
  /** The marker as this tab knows it. */
  #marker: Marker | undefined;
  /** The marker that told of a loss: it knows more than there is, and counts no longer. */
  #outdated: Marker | undefined;
  #wiped: WipedEvent | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(connection: Connection, found: Found) {
    this.#connection = connection;
    this.#found = found;
    this.#marker = found.marker;
  }

  /** Compares what was opened with what is known of it, and tells of a loss. */
  static async begin(connection: Connection, found: Found): Promise<Safekeeping> {
    const kept = new Safekeeping(connection, found);
    const standing = await kept.#standing();
    const lost = found.restored ?? lossOf(found.marker, standing);
    if (lost !== undefined) {
      kept.#tell(lost, found.restored !== undefined, standing.records);
      // What is lost is told once: from here on, what is there counts.
      if (found.marker !== undefined) [kept.#outdated, kept.#marker] = [found.marker, { ...found.marker, counter: 0 }];
    }
    const { mirror } = found;
    if (mirror !== undefined) {
      mirror.onFailed = (error) => connection.listeners.emitOrKeep("error", failure(typed(error)));
      mirror.onRestored = () => void kept.#standing().then(({ records }) => kept.#tell("all", true, records)).catch(mirror.onFailed);
      mirror.begin();
    }
    if (found.isMarked) {
      connection.listeners.add("change", () => kept.#markSoon());
      // When it was last seen may be written later.
      if (found.marker !== undefined && kept.#marker === found.marker) kept.#markSoon();
      else if (standing.counter > 0) await kept.#mark(standing);
    }
    // A browser may ask the user, so nothing waits for the answer; `health` tells what came of it.
    if (found.persist) void storageOfSite()?.persist?.().catch(() => false);
    return kept;
  }

  /** How the memory is. */
  async health(): Promise<Health> {
    const { kind, refused, copy, mirror, copyError, isOnCopy, persist } = this.#found;
    const [{ bytes, damage }, { memoryBytes, maxMemoryBytes }, backlog, estimate, persisted] = await Promise.all([
      this.#standing(),
      this.#connection.call<Taken>("taken", "", {}),
      this.#connection.call<BackgroundJob[]>("jobs", "", {}),
      quietly(() => storageOfSite()?.estimate?.()),
      quietly(() => storageOfSite()?.persisted?.()),
    ]);
    const state = mirror?.state();
    const error = state?.error ?? (copyError && failure(copyError));
    const { behindSince } = state ?? {};
    const lagMs = behindSince === undefined ? 0 : Math.max(0, Date.now() - behindSince);
    // Another tab may have made one.
    const { backedUpAt } = (this.#found.isMarked ? await readMarker(this.#found.name) : undefined) ?? this.#marker ?? {};
    return {
      storage: { kind: isOnCopy && copy !== undefined ? copy : kind, refused },
      persistence: { asked: persist, ...(persisted !== undefined && { persisted }) },
      bytes: {
        memory: bytes,
        ...(estimate?.usage !== undefined && { used: estimate.usage }),
        ...(estimate?.quota !== undefined && { quota: estimate.quota }),
      },
      memory: { bytes: memoryBytes, maxBytes: maxMemoryBytes },
      backlog,
      ...(backedUpAt !== undefined && { lastBackupAt: backedUpAt }),
      ...(copy !== undefined && { copy: { kind: copy, lagMs, ...(error !== undefined && { error }) } }),
      damage,
      ...(this.#wiped !== undefined && { wiped: this.#wiped }),
    };
  }

  /** Whether the memory was lost, in whole or in part, and did not come back. */
  get isLost(): boolean {
    return this.#wiped !== undefined && !this.#wiped.restored;
  }

  /** Notes that a backup was made. */
  async backedUp(at: number): Promise<void> {
    await this.#mark(await this.#standing(), at);
  }

  /** Writes down how the memory is, before it is closed. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#found.isMarked) await quietly(async () => this.#mark(await this.#standing()));
  }

  /** Brings the copy up to date, after everything is written. */
  async settle(): Promise<void> {
    await this.#found.mirror?.settle();
  }

  #standing(): Promise<Standing> {
    return this.#connection.upkeep<Standing>("standing");
  }

  #markSoon(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        void quietly(async () => this.#mark(await this.#standing()));
      },
      // After a loss the next opening would tell it again.
      this.#marker === undefined || this.#marker.counter === 0 ? 0 : MARK_MS,
    );
  }

  async #mark(standing: Standing, backedUpAt?: number): Promise<void> {
    const { isMarked, name } = this.#found;
    if (!isMarked) return void this.#note(standing, undefined, backedUpAt);
    // Other tabs write it too.
    await alone(`mnemic:${name}:marker`, async () => {
      const marker = this.#note(standing, await readMarker(name), backedUpAt);
      if (marker !== undefined) await writeMarker(name, marker);
    });
  }

  /** Adds what this tab knows to the stored marker; undefined when that knows as much. */
  #note({ counter, lineage, records }: Standing, stored: Marker | undefined, at = 0): Marker | undefined {
    if (counter === 0) return undefined;
    const isOutdated = stored?.counter === this.#outdated?.counter && stored?.lineage === this.#outdated?.lineage;
    const known = isOutdated ? this.#marker : (stored ?? this.#marker);
    const last = Math.max(at, known?.backedUpAt ?? 0);
    const backedUp = last > 0 ? { backedUpAt: last } : {};
    const seenAt = Date.now();
    if (known?.lineage === lineage && counter < known.counter) {
      // A tab that has not heard of another's writes yet knows less.
      this.#marker = { ...known, ...backedUp };
      return last === known.backedUpAt || last === 0 ? undefined : this.#marker;
    }
    this.#outdated = undefined;
    const storage = this.#found.kind === "opfs" ? ({ storage: "opfs" } as const) : {};
    this.#marker = { ...storage, counter, lineage, records, firstOpenedAt: known?.firstOpenedAt ?? seenAt, seenAt, ...backedUp };
    return this.#marker;
  }

  #tell(lost: WipedEvent["lost"], restored: boolean, records: number): void {
    const { records: lastRecords, seenAt: lastSeenAt, backedUpAt: lastBackupAt } = this.#marker ?? {};
    this.#wiped = {
      lost,
      restored,
      records,
      ...(lastRecords !== undefined && { lastRecords }),
      ...(lastSeenAt !== undefined && { lastSeenAt }),
      ...(lastBackupAt !== undefined && { lastBackupAt }),
    };
    this.#connection.listeners.emitOrKeep("wiped", this.#wiped);
  }
}

/** What is missing of what the marker knows. */
function lossOf(marker: Marker | undefined, { counter, lineage, damage }: Standing): WipedEvent["lost"] | undefined {
  if (marker === undefined || marker.counter === 0) return undefined;
  if (counter === 0) return "all";
  if (lineage === marker.lineage) return counter < marker.counter ? "some" : undefined;
  // A memory whose head was lost is put together again, and has another lineage from then on.
  return damage.some(({ key }) => key.endsWith("head")) ? "some" : "all";
}

function storageOfSite(): Partial<StorageManager> | undefined {
  return globalThis.navigator?.storage;
}

/** The answer, or undefined when there is none to be had: nothing depends on it. */
async function quietly<Answer>(ask: () => Promise<Answer> | undefined): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}
