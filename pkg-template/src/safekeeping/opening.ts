/** Opening a memory on the first storage that takes it. */
import type { Configuration } from "../configuration.js";
import { Connection } from "../connection.js";
import { StorageError, type MnemicError } from "../errors.js";
import type { Instance } from "../instance.js";
import { holdAlone, holdHere, type Hold } from "../lock.js";
import type { StorageAddress } from "../mnemic.js";
import type { StorageKind, StorageObject } from "../storage.js";
import type { Copied, Findings } from "./copied.js";
import { placeOf, readMarker, type Marker } from "./marker.js";
import { Safekeeping, type Found, type Standing } from "./safekeeping.js";

/** Opens the storage `"opfs"` where the engine runs here. */
export type OpenFiles = (address: StorageAddress) => Promise<StorageObject>;

/** An open engine, and what looks after it. */
export interface Opened {
  readonly connection: Connection;
  readonly safekeeping: Safekeeping;
  readonly kind: StorageKind;
}

/**
 * @param hold is taken for as long as the memory is open in a storage that others share
 * @throws StorageError when no storage takes the memory, or the one that has it refuses it.
 */
export async function openFirst(
  instance: Promise<Instance>,
  configuration: Configuration,
  hold: Hold | undefined,
  openFiles: OpenFiles | undefined,
): Promise<Opened> {
  const { storages, engine } = configuration;
  const marker = storages.some(isMarked) ? await readMarker(engine.name) : undefined;
  const refused: Found["refused"] = [];
  for (const [index, storage] of storages.entries()) {
    const kind: StorageKind = typeof storage === "string" ? storage : "object";
    try {
      return await openOn(instance, configuration, storage, { kind, marker: markerOf(kind, marker), refused, hold, openFiles });
    } catch (error) {
      const { code, message } = error as MnemicError;
      const next = storages[index + 1];
      if (code !== "Storage" || next === undefined) throw error;
      // What is there would seem to be gone, and what is written from now on would be in another place.
      if (markerOf(kind, marker) !== undefined && next !== "memory") {
        throw new StorageError(
          `the memory is in ${kind}, which the browser refuses now (${message}), and is not begun anew in ${String(next)}; try ` +
            'again later, or allow "memory" next',
          { cause: error },
        );
      }
      refused.push({ kind, message });
    }
  }
  throw new StorageError("there is no storage to open");
}

/** Whether it is noted outside of a storage what it holds. */
function isMarked(storage: unknown): storage is "indexeddb" | "opfs" {
  return storage === "indexeddb" || storage === "opfs";
}

/** A marker that is about a storage of this kind. */
function markerOf(kind: StorageKind, marker: Marker | undefined): Marker | undefined {
  return placeOf(marker) === kind ? marker : undefined;
}

/** Keeps away whoever must not come while a memory is open there. */
async function held(storage: Configuration["storages"][number], name: string, hold: Hold | undefined): Promise<(() => void) | undefined> {
  if (storage === "memory") return undefined;
  if (typeof storage === "object") return holdHere(storage);
  const letGo = storage === "localstorage" ? await holdAlone(name) : hold?.take();
  const release = holdHere(name);
  return () => (release(), letGo?.());
}

async function openOn(
  instance: Promise<Instance>,
  configuration: Configuration,
  storage: Configuration["storages"][number],
  { hold, openFiles, ...known }: Pick<Found, "kind" | "marker" | "refused"> & { hold: Hold | undefined; openFiles: OpenFiles | undefined },
  findings: Findings = {},
): Promise<Opened> {
  const { engine, copy, persist, worker } = configuration;
  const hasCopy = storage === "indexeddb" || storage === "localstorage";
  const isShared = hasCopy || storage === "opfs";
  let release = await held(storage, engine.name, hold);
  let copied: Copied | undefined;
  try {
    let chosen = storage;
    // A worker of the package opens it where the engine is.
    if (storage === "opfs" && worker === undefined) {
      if (openFiles === undefined) throw new StorageError('"opfs" is for browsers, and is not here');
      const opened = await openFiles({ name: engine.name, storage, durability: engine.durability });
      const before = release;
      release = () => (before?.(), opened.close?.());
      chosen = opened;
    }
    if (hasCopy && copy !== undefined) {
      const { openCopied } = await import("./copied.js");
      copied = await openCopied(await instance, configuration, storage, copy, findings);
    }
    // What a copy brought back may be a little older than what the marker knows, and that is told as a loss, not as damage.
    const knownCounter = copied === undefined ? known.marker?.counter : undefined;
    const whole = { ...engine, storage: copied?.storage ?? chosen, ...(knownCounter !== undefined && { knownCounter }) };
    const connection = await Connection.open(await instance, whole, isShared ? engine.name : undefined, release);
    const { mirror, filledFrom, isRepaired = false } = copied ?? {};
    if (mirror !== undefined && findings.damaged === undefined) {
      const { damage } = await connection.call<Standing>("standing", "", {});
      if (damage.length > 0) {
        await connection.close();
        return await openOn(instance, configuration, storage, { ...known, hold, openFiles }, { ...findings, damaged: damage.map(({ key }) => key) });
      }
    }
    const safekeeping = await Safekeeping.begin(connection, {
      ...known,
      name: engine.name,
      persist,
      isMarked: isMarked(storage),
      copy: hasCopy ? copy : undefined,
      mirror,
      copyError: copied?.error,
      isOnCopy: copied?.storage !== undefined && mirror === undefined,
      restored: filledFrom === undefined ? (isRepaired ? "some" : undefined) : filledFrom === 0 ? "all" : "some",
    });
    return { connection, safekeeping, kind: known.kind };
  } catch (error) {
    release?.();
    copied?.storage?.close?.();
    const failed = error as MnemicError;
    const isRetried = copied?.mirror !== undefined && findings.failed === undefined && failed.code === "Storage";
    if (isRetried) return openOn(instance, configuration, storage, { ...known, hold, openFiles }, { ...findings, failed });
    throw error;
  }
}

