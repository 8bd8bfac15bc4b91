/** A page as the worker knows it: what it is asked for on behalf of an engine. */
import type { FindKey } from "../encryption.js";
import type { Embedder, Llm } from "../models.js";
import type { StorageObject } from "../storage.js";
import { packBatch, unpackPairs, unpackVectors } from "./packing.js";
import type { PageStorage } from "./protocol.js";
import type { Asking } from "./wire.js";

/** Asks a page. */
export type Ask = <Answer>(name: string, values: readonly unknown[], asking?: Asking) => Promise<Answer>;

/** The language model of the page. */
export function pageLlm(ask: Ask): Llm {
  return ({ signal, ...request }) => ask("llm", [request], { signal });
}

/** The embedding model of the page. */
export function pageEmbed(ask: Ask): Embedder["embed"] {
  return async (texts, { signal, purpose }) => unpackVectors(await ask("embed", [texts, purpose], { signal }));
}

/** What finds keys in the page. @param finder the number under which the page keeps it. */
export function pageKeys(ask: Ask, finder: number): FindKey {
  return (description) => ask("key", [finder, description]);
}

/** A storage object of the page. */
export function pageStorage(ask: Ask, { closes }: PageStorage): StorageObject {
  return {
    read: async (start, end) => unpackPairs(await ask("read", [start, end])),
    write(batch, expectedHead) {
      const { value, transfer } = packBatch(batch);
      return ask("write", [value, expectedHead], { transfer });
    },
    ...(closes && { close: () => void ask("close", []).catch(() => {}) }),
  };
}
