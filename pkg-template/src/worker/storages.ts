/** Storages that are opened in the worker, beside the engine, by their name. */
import { openOpfs } from "../files/opfs.js";
import type { EngineConfiguration, StorageAddress } from "../mnemic.js";
import type { StorageObject } from "../storage.js";

/** How each is opened; the engine itself opens those that are not here. */
const OPENERS: Readonly<Record<string, (address: StorageAddress) => Promise<StorageObject>>> = { opfs: openOpfs };

/** What the engine is opened on for a storage that was named. */
export async function storageHere(address: StorageAddress): Promise<EngineConfiguration["storage"]> {
  const { storage } = address;
  const open = typeof storage === "string" && Object.hasOwn(OPENERS, storage) ? OPENERS[storage] : undefined;
  return open === undefined ? storage : open(address);
}
