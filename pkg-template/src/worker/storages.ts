/** Storages that are opened in the worker, beside the engine, by their name: for engines, for pages, and for moves between them. */
import { ClosedError, StorageError } from "../errors.js";
import { openOpfs } from "../files/opfs.js";
import type { EngineConfiguration, StorageAddress } from "../mnemic.js";
import type { MovableStorage } from "../move.js";
import { carry, type Place, type Way } from "../safekeeping/carrying.js";
import type { Pairs, StorageObject } from "../storage.js";
import { Crossing, packPairs, unpackBatch, unpackPairs } from "./packing.js";
import { Wire } from "./wire.js";

/** What the engine is opened on for a storage that was named; it opens all but `"opfs"` itself. */
export async function storageHere(address: StorageAddress): Promise<EngineConfiguration["storage"]> {
  return address.storage === "opfs" ? openOpfs(address) : address.storage;
}

/** A storage that is open here. */
export type ServedStorage = Pick<StorageObject, "read" | "write" | "close">;

type SentPairs = Parameters<typeof unpackPairs>[0];
type SentBatch = Parameters<typeof unpackBatch>[0];

/** Serves a storage over a port; the answer closes it. */
export function servedStorage(storage: ServedStorage, port: MessagePort): () => void {
  /** Of batches that are written as a whole. */
  const crossing = new Crossing<Pairs>((lost) => new StorageError(`${lost} of a batch are lost, and nothing was written; write it again`));
  const wire = new Wire(port, async (name, values) => {
    if (name === "read") {
      return packPairs(await storage.read(...(values as unknown as Parameters<StorageObject["read"]>)));
    }
    if (name === "piece") {
      const [number, sent] = values as unknown as [number, SentPairs];
      return crossing.take(number, unpackPairs(sent));
    }
    if (name === "write") {
      const [sent, expectedHead, number, count] = values as unknown as [SentBatch, number, number, number];
      const came = crossing.all(number, count);
      const { puts, deletes } = unpackBatch(sent);
      return storage.write({ puts: [...came.flat(), ...puts], deletes }, expectedHead);
    }
    close();
  });
  const close = (): void => {
    storage.close?.();
    wire.end(undefined);
  };
  return close;
}

/** Carries a memory when the page says so; the answer gives it up, as far as the page is needed. */
export function servedMove(way: Way, open: (address: StorageAddress) => Promise<ServedStorage>, port: MessagePort): () => void {
  const place = async (storage: MovableStorage): Promise<Place> => {
    const opened = await open({ name: way.name, storage, durability: "strict" });
    return { storage: opened, name: `"${String(storage)}"`, close: () => opened.close?.() };
  };
  const wire: Wire = new Wire(port, () => carry(way, place, { leave: () => wire.ask("leave"), stay: () => wire.ask("stay"), tidy: (storage) => wire.ask("tidy", [storage]) }));
  return () => wire.end(new ClosedError("the page that moves the memory is gone"));
}
