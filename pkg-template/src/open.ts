/** Opening a memory. */
import { Connection } from "./connection.js";
import { InvalidInputError } from "./errors.js";
import { instances, type LoadModule } from "./instance.js";
import { Memory } from "./memory.js";
import type { EngineConfiguration } from "./mnemic.js";
import type { Embedder, Llm } from "./models.js";
import { isRecord, kind, plain, refused } from "./plain.js";
import { jsonSchemas, type ProfileSchemas } from "./schema.js";
import type { StorageKind, StorageObject } from "./storage.js";

/** What a memory is opened with. */
export interface MemoryOptions<Schemas extends ProfileSchemas = {}> {
  /** Names the database: 1 to 64 of `A-Z a-z 0-9 . _ -`. Memories of one name and storage are one memory. */
  readonly name: string;
  /**
   * Where it is kept. `"auto"` is IndexedDB, or localStorage (about 5 MB) where there is no IndexedDB; `"memory"` ends with the
   * page. Default: `"auto"` in browsers; must be given elsewhere.
   */
  readonly storage?: "auto" | "indexeddb" | "localstorage" | "memory" | StorageObject | undefined;
  /** `"strict"`: what resolved survives a loss of power; `"relaxed"`: it survives a crash of the tab. Default: `"strict"`. */
  readonly durability?: "strict" | "relaxed" | undefined;
  /** Extracts facts and profile fields from conversations. Default: none, only built-in rules extract. */
  readonly llm?: Llm | undefined;
  /** Finds by meaning. Default: a built-in one, which sees likeness of words. */
  readonly embed?: Embedder | undefined;
  /** Schemas of the profiles, by id. Default: none. */
  readonly profiles?: Schemas | undefined;
  readonly extraction?: ExtractionOptions | undefined;
}

/** How the background extraction runs. */
export interface ExtractionOptions {
  /** Whether messages are extracted as they are remembered. Default: true. */
  readonly auto?: boolean | undefined;
  /** Waits this long for more messages. */
  readonly delayMs?: number | undefined;
  /** Gives the model this long. Default: 60 000. */
  readonly timeoutMs?: number | undefined;
  /** At most this many messages go into one request. */
  readonly maxMessages?: number | undefined;
}

/** Opens memories. */
export type OpenMemory = <const Schemas extends ProfileSchemas = {}>(
  options: MemoryOptions<Schemas>,
) => Promise<Memory<Schemas>>;

/** What differs between runtimes. */
export interface Runtime {
  /** Finds and compiles the WebAssembly module. */
  readonly loadModule: LoadModule;
  /** The storage of `"auto"`; undefined when there is none. */
  readonly autoStorage?: (() => "indexeddb" | "localstorage" | undefined) | undefined;
}

const NAMES = ["name", "storage", "durability", "llm", "embed", "profiles", "extraction"];
const STORAGES = ["indexeddb", "localstorage", "memory"];

/** `openMemory` for a runtime. Nothing is loaded before its first call; all its memories share one instance. */
export function opener(runtime: Runtime): OpenMemory {
  const instance = instances(runtime.loadModule);
  return async <const Schemas extends ProfileSchemas = {}>(options: MemoryOptions<Schemas>): Promise<Memory<Schemas>> => {
    const configuration = engineConfiguration(options, runtime);
    const { storage, name } = configuration;
    const kindOfStorage: StorageKind = typeof storage === "string" ? storage : "object";
    const isShared = storage === "indexeddb" || storage === "localstorage";
    const connection = await Connection.open(await instance(), configuration, isShared ? name : undefined);
    return new Memory(connection, kindOfStorage);
  };
}

function engineConfiguration(options: MemoryOptions<ProfileSchemas>, runtime: Runtime): EngineConfiguration {
  if (!isRecord(options)) throw refused("options", kind(options), 'pass an object such as { name: "chat" }');
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw new InvalidInputError(`options.${unknown}: there is no such option; there are ${NAMES.join(", ")}`);
  }
  const { name, durability = "strict", llm, embed, profiles, extraction } = options;
  if (typeof name !== "string" || !/^[A-Za-z0-9._-]{1,64}$/.test(name)) {
    throw refused("options.name", shown(name), "pass 1 to 64 of A-Z a-z 0-9 . _ -");
  }
  if (durability !== "strict" && durability !== "relaxed") {
    throw refused("options.durability", shown(durability), 'pass "strict" or "relaxed"');
  }
  if (llm !== undefined && typeof llm !== "function") {
    throw refused("options.llm", kind(llm), "pass a function, such as openAICompatible() of mnemic/adapters makes");
  }
  if (profiles !== undefined && !isRecord(profiles)) {
    throw refused("options.profiles", kind(profiles), "pass an object of schemas by id");
  }
  return {
    name,
    durability,
    storage: chosenStorage(options.storage, runtime),
    ...(llm && { llm }),
    ...(embed !== undefined && embedder(embed)),
    options: plain({ profiles: profiles && jsonSchemas(profiles), extraction }),
  };
}

function chosenStorage(storage: MemoryOptions["storage"], runtime: Runtime): EngineConfiguration["storage"] {
  if (storage === undefined || storage === "auto") {
    const auto = runtime.autoStorage?.();
    if (auto !== undefined) return auto;
    throw new InvalidInputError(
      'options.storage: there is neither IndexedDB nor localStorage here; pass a StorageObject, or "memory" to forget at the end',
    );
  }
  if (typeof storage === "string" && STORAGES.includes(storage)) return storage;
  if (typeof storage === "object" && typeof storage?.read === "function" && typeof storage.write === "function") return storage;
  throw refused(
    "options.storage",
    shown(storage),
    `pass "auto", ${STORAGES.map((name) => `"${name}"`).join(", ")}, or an object with read() and write()`,
  );
}

function embedder(embed: Embedder): Pick<EngineConfiguration, "embed" | "embedderId"> {
  if (typeof embed?.id !== "string" || embed.id === "" || typeof embed.embed !== "function") {
    throw refused("options.embed", kind(embed), "pass { id, embed(texts) }; the id tells the vectors of different models apart");
  }
  return { embed: (texts, options) => embed.embed(texts, options), embedderId: embed.id };
}

/** A string as it is written, anything else by its kind. */
function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : kind(value);
}
