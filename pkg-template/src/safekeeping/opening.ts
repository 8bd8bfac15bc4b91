/** Opening a memory on the first storage that takes it. */
import type { Configuration } from "../configuration.js";
import { Connection } from "../connection.js";
import { StorageError, type MnemicError } from "../errors.js";
import type { Instance } from "../instance.js";
import { holdAlone } from "../lock.js";
import type { StorageKind } from "../storage.js";
import type { Copied, Findings } from "./copied.js";
import { readMarker } from "./marker.js";
import { Safekeeping, type Found, type Standing } from "./safekeeping.js";

/** An open engine, and what looks after it. */
export interface Opened {
  readonly connection: Connection;
  readonly safekeeping: Safekeeping;
  readonly kind: StorageKind;
}

/** @throws StorageError when no storage takes the memory, or the one that has it refuses it. */
export async function openFirst(instance: Instance, configuration: Configuration): Promise<Opened> {
  const { storages, engine } = configuration;
  const marker = storages.includes("indexeddb") ? await readMarker(engine.name) : undefined;
  const refused: Found["refused"] = [];
  for (const [index, storage] of storages.entries()) {
    const kind: StorageKind = typeof storage === "string" ? storage : "object";
    try {
      return await openOn(instance, configuration, storage, { kind, marker: kind === "indexeddb" ? marker : undefined, refused });
    } catch (error) {
      const { code, message } = error as MnemicError;
      const next = storages[index + 1];
      if (code !== "Storage" || next === undefined) throw error;
      // What is there would seem to be gone, and what is written from now on would be in another place.
      if (kind === "indexeddb" && marker !== undefined && next !== "memory") {
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

async function openOn(
  instance: Instance,
  configuration: Configuration,
  storage: Configuration["storages"][number],
  known: Pick<Found, "kind" | "marker" | "refused">,
  findings: Findings = {},
): Promise<Opened> {
  const { engine, copy, persist } = configuration;
  const isShared = storage === "indexeddb" || storage === "localstorage";
  const release = storage === "localstorage" ? await holdAlone(engine.name) : undefined;
  let copied: Copied | undefined;
  try {
    if (isShared && copy !== undefined) {
      const { openCopied } = await import("./copied.js");
      copied = await openCopied(instance, configuration, storage, copy, findings);
    }
    // What a copy brought back may be a little older than what the marker knows, and that is told as a loss, not as damage.
    const knownCounter = copied === undefined ? known.marker?.counter : undefined;
    const whole = { ...engine, storage: copied?.storage ?? storage, ...(knownCounter !== undefined && { knownCounter }) };
    const connection = await Connection.open(instance, whole, isShared ? engine.name : undefined, release);
    const { mirror, filledFrom, isRepaired = false } = copied ?? {};
    if (mirror !== undefined && findings.damaged === undefined) {
      const { damage } = await connection.call<Standing>("standing", "", {});
      if (damage.length > 0) {
        await connection.close();
        return await openOn(instance, configuration, storage, known, { ...findings, damaged: damage.map(({ key }) => key) });
      }
    }
    const safekeeping = await Safekeeping.begin(connection, {
      ...known,
      name: engine.name,
      persist,
      isMarked: storage === "indexeddb",
      copy: isShared ? copy : undefined,
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
    if (isRetried) return openOn(instance, configuration, storage, known, { ...findings, failed });
    throw error;
  }
}

