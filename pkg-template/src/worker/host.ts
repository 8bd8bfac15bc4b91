/** The worker's side: runs the engines that pages ask for. */
import type { ModelOptions } from "./serve.js";
import { instances, type Instance, type LoadModule } from "../instance.js";
import { typed, type MnemicError } from "../errors.js";
import type { Engine, EngineConfiguration, StorageAddress } from "../mnemic.js";
import { pageEmbed, pageKeys, pageLlm, pageStorage, type Ask } from "./client.js";
import { Hosted } from "./hosted.js";
import { heldForever, type Greeting, type Opening, type RemoteConfiguration, type Welcome } from "./protocol.js";
import { servedMove, servedStorage, storageHere, type ServedStorage } from "./storages.js";
import { Wire } from "./wire.js";

/** The number under which a page keeps what finds the key that it opened the memory with. */
const OPENING_KEY = 0;

/** Runs engines for pages. */
export class Host {
  readonly #instance: () => Promise<Instance>;
  readonly #models: ModelOptions;
  /** Whether pages that open the same memory in the same way use one engine. */
  readonly #isShared: boolean;
  /** The engines that another page may use, by what they were opened with. */
  readonly #open = new Map<string, Hosted>();

  constructor(load: LoadModule, models: ModelOptions, isShared: boolean) {
    this.#instance = instances(load);
    this.#models = models;
    this.#isShared = isShared;
  }

  /** Takes a page in. */
  async welcome({ lock }: Greeting, port: MessagePort): Promise<void> {
    const leavers = new Set<() => void>();
    let isGone = false;
    const wire = new Wire(port, async (name, values) => {
      if (name !== "open") throw new TypeError(`nothing here is called ${name}`);
      const leave = await this.#opened(values as unknown as Opening);
      // A page may go while its memory opens.
      if (isGone) leave();
      else leavers.add(leave);
    });
    const welcome: Welcome = { lock: await heldForever("mnemic:worker:") };
    wire.tell("welcome", welcome);
    if (lock === undefined || this.#isShared === false) return;
    // It is had when the page is gone.
    await navigator.locks.request(lock, () => {
      isGone = true;
      leavers.forEach((leave) => leave());
    });
    wire.end(undefined);
  }

  async #opened(opening: Opening): Promise<() => void> {
    if (opening[0] === "storage") return servedStorage(await this.#storage(opening[1]), opening[2]);
    if (opening[0] === "move") return servedMove(opening[1], (address) => this.#storage(address), opening[2]);
    const [, configuration, port] = opening;
    const key = this.#isShared ? sharingKey(configuration) : undefined;
    const found = key === undefined ? undefined : this.#open.get(key);
    if (found !== undefined) return found.join(port);
    const forget = (): void => {
      if (key !== undefined && this.#open.get(key) === hosted) this.#open.delete(key);
    };
    const hosted: Hosted = new Hosted((ask) => this.#engine(configuration, ask, (error) => hosted.crashed(error)), forget, forget);
    if (key !== undefined) this.#open.set(key, hosted);
    return hosted.join(port);
  }

  async #storage(address: StorageAddress): Promise<ServedStorage> {
    const there = await storageHere(address);
    return typeof there === "object" ? there : (await this.#instance()).openStorage(address);
  }

  async #engine(configuration: RemoteConfiguration, ask: Ask, onCrash: (error: MnemicError) => void): Promise<Engine> {
    const { hasLlm, hasEmbed, hasKey, storage, ...rest } = configuration;
    // The storage is opened while the engine is loaded.
    const starting = this.#instance();
    starting.catch(() => {});
    const { llm, embed, countTokens } = this.#models;
    const complete: EngineConfiguration = {
      ...rest,
      ...(hasLlm ? { llm: pageLlm(ask) } : llm && { llm }),
      ...(hasEmbed ? { embed: pageEmbed(ask) } : embed && { embed: (texts, options) => embed.embed(texts, options), embedderId: embed.id }),
      ...(countTokens && { countTokens }),
      ...(hasKey && { encryptionKey: pageKeys(ask, OPENING_KEY) }),
      storage: typeof storage === "object" ? pageStorage(ask, storage) : await storageHere({ ...rest, storage }),
    };
    const instance = await starting;
    const forget = instance.onCrash(onCrash);
    try {
      return await instance.open(complete);
    } catch (error) {
      forget();
      throw instance.crash ?? typed(error);
    }
  }
}

/** What two pages must have in common to use one engine; undefined when one alone may. */
function sharingKey({ storage, hasKey, ...rest }: RemoteConfiguration): string | undefined {
  // What is kept in memory ends with its page, a storage object is the page's, and a key is not known to others.
  const isOwn = typeof storage === "object" || storage === "memory" || hasKey;
  return isOwn ? undefined : JSON.stringify([storage, Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1))]);
}

