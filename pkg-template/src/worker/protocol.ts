/** What pages ask of the worker that runs the engine, and how they meet. */
import type { EngineConfiguration, StorageAddress } from "../mnemic.js";
import type { Way } from "../safekeeping/carrying.js";

/** Increased when pages and workers of another version would not understand each other. */
export const PROTOCOL = 3;

/** The first message to a worker; a port comes with it. */
export interface Greeting {
  readonly mnemic: typeof PROTOCOL;
  /** A Web Lock that the page holds as long as it lives; undefined where there are none. */
  readonly lock: string | undefined;
}

/** What the worker says first on that port. */
export interface Welcome {
  /** A Web Lock that the worker holds as long as it lives; undefined where there are none. */
  readonly lock: string | undefined;
}

/** What an engine is opened with, as it crosses: functions stay in the page, and are asked there. */
export interface RemoteConfiguration
  extends Omit<EngineConfiguration, "storage" | "llm" | "embed" | "countTokens" | "encryptionKey"> {
  readonly storage: Exclude<EngineConfiguration["storage"], object> | PageStorage;
  readonly hasLlm: boolean;
  readonly hasEmbed: boolean;
  readonly hasKey: boolean;
}

/** A storage object of the page. */
export interface PageStorage {
  readonly closes: boolean;
}

/** Opens something on a port of its own. */
export type Opening =
  | readonly [what: "engine", configuration: RemoteConfiguration, port: MessagePort]
  | readonly [what: "storage", address: StorageAddress, port: MessagePort]
  | readonly [what: "move", way: Way, port: MessagePort];

const forever = new Map<string, Promise<string | undefined>>();

/** The name of a lock that this page or worker holds as long as it lives, one for each prefix; undefined where there are no Web Locks. */
export function heldForever(prefix: string): Promise<string | undefined> {
  const held =
    forever.get(prefix) ??
    new Promise<string | undefined>((resolve, reject) => {
      const { locks } = navigator;
      if (locks === undefined) return resolve(undefined);
      const name = prefix + crypto.randomUUID();
      locks.request(name, () => (resolve(name), new Promise<never>(() => {}))).catch(reject);
    });
  forever.set(prefix, held);
  return held;
}
