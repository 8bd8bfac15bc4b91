/** From what an app says to what the engine is opened with: every option is checked before anything is loaded. */
import { checkDurability } from "./durability.js";
import { keyFinder } from "./encryption.js";
import { InvalidInputError } from "./errors.js";
import type { EngineConfiguration } from "./mnemic.js";
import type { Embedder } from "./models.js";
import type { MemoryOptions } from "./options.js";
import { checkName } from "./name.js";
import { isList, isRecord, kind, known, passes, plain, reading, refused, shown } from "./plain.js";
import { jsonSchemas, type ProfileSchemas } from "./schema.js";
import { browserStorage, isBrowser, WITHOUT_BROWSER, type CopyKind, type StorageName, type StorageObject } from "./storage.js";
import type { WorkerKind } from "./worker/remote.js";

/** The storages of `"auto"`, in the order in which they are tried; empty when there is none. */
export type AutoStorage = () => ReadonlyArray<"indexeddb" | "localstorage">;

/** Which worker runs the engine. */
export type WorkerChoice = WorkerKind | (() => unknown);

/** What an app says, checked. */
export interface Configuration {
  /** Whether the app leaves it to us where the memory is stored. */
  readonly isAuto: boolean;
  /** Where the memory may be stored, in the order in which it is tried. */
  readonly storages: ReadonlyArray<StorageName | StorageObject>;
  readonly copy: CopyKind | undefined;
  readonly persist: boolean;
  /** Undefined when the engine runs here. */
  readonly worker: WorkerChoice | undefined;
  /** All that the engine is opened with but its storage. */
  readonly engine: Omit<EngineConfiguration, "storage">;
}

const NAMES = ["name", "storage", "durability", "copy", "persist", "worker", "llm", "embed", "countTokens", "profiles", "extraction", "history", "guard", "documents", "summaries", "context", "tiers", "maxMemoryBytes", "keepPrompts", "encryption"];
const STORAGES = ["indexeddb", "localstorage", "opfs", "memory"];

/**
 * The engine's configuration.
 *
 * @throws InvalidInputError or InvalidSchemaError naming the option.
 */
export function engineConfiguration(
  options: MemoryOptions<ProfileSchemas>,
  autoStorage: AutoStorage | undefined,
): Configuration {
  if (!reading("options", () => isRecord(options))) throw refused("options", kind(options), 'pass an object such as { name: "chat" }');
  known(options, NAMES);
  const { name, durability = "strict", copy, persist = false, worker: where = false, llm, embed, countTokens, profiles, extraction, history, guard, documents, summaries, context, tiers, maxMemoryBytes, keepPrompts, encryption } = options;
  checkName(name, "options.name");
  checkDurability(durability);
  if (copy !== undefined && copy !== "opfs" && copy !== "bucket") {
    throw refused("options.copy", shown(copy), 'pass "opfs", "bucket", or leave it out for no copy');
  }
  if (typeof persist !== "boolean") throw refused("options.persist", shown(persist), "pass true or false");
  const worker = chosenWorker(where);
  if (llm !== undefined && typeof llm !== "function") {
    throw refused("options.llm", kind(llm), "pass a function, such as openAICompatible() of mnemic/adapters makes");
  }
  if (countTokens !== undefined && typeof countTokens !== "function") {
    throw refused("options.countTokens", kind(countTokens), "pass a function from a text to its number of tokens");
  }
  if (countTokens !== undefined && worker !== undefined) {
    throw new InvalidInputError(
      "options.countTokens: the engine in a worker cannot wait for a function of the page; give it to serveMemories() of mnemic/worker, in " +
        "a script that a function given as options.worker starts",
      { details: { path: "options.countTokens" } },
    );
  }
  if (profiles !== undefined && !isRecord(profiles)) {
    throw refused("options.profiles", kind(profiles), "pass an object of schemas by id");
  }
  if (maxMemoryBytes !== undefined && !Number.isSafeInteger(maxMemoryBytes)) {
    throw refused("options.maxMemoryBytes", shown(maxMemoryBytes), "pass a whole number of bytes");
  }
  const engine = {
    name,
    durability,
    ...(llm && { llm }),
    ...(embed !== undefined && embedder(embed)),
    ...(countTokens && { countTokens }),
    ...(encryption !== undefined && { encryptionKey: keyFinder(encryption, "options.encryption") }),
    options: plain({ profiles: profiles && jsonSchemas(profiles), extraction, history, guard, documents, summaries, context, tiers, maxMemoryBytes, keepPrompts }),
  };
  // Workers have no localStorage.
  const found = worker === undefined ? autoStorage : () => autoStorage?.().filter((name) => name !== "localstorage") ?? [];
  const storages = chosenStorages(options.storage, found);
  if (copy !== undefined && storages.includes("opfs")) {
    throw refused("options.copy", "a copy of a memory in OPFS", 'leave it out, or store the memory in "indexeddb"');
  }
  return { isAuto: isAuto(options.storage), storages, copy, persist, worker, engine };
}

/** @throws InvalidInputError when it says of no worker which. */
export function chosenWorker(worker: unknown): WorkerChoice | undefined {
  if (worker === false) return undefined;
  if (worker === true) return "dedicated";
  if (worker === "shared" || typeof worker === "function") return worker as WorkerChoice;
  throw refused("options.worker", shown(worker), 'pass true, "shared", or a function that answers a new Worker');
}

/** Why there is none to choose: in a page with the entry of another runtime, it is not the browser that lacks them. */
function noStorage(autoStorage: AutoStorage | undefined): string {
  if (autoStorage !== undefined || !browserStorage().includes("indexeddb")) return "there is neither IndexedDB nor localStorage here";
  return (
    `this browser has storages, but the entry of mnemic that was loaded chooses none by itself. Pass "indexeddb", or autoStorage: ` +
    `browserStorage to opener(). If you import "mnemic", the bundler took its entry for Node instead of entry/browser.js`
  );
}

function chosenStorages(storage: MemoryOptions["storage"], autoStorage: AutoStorage | undefined): Configuration["storages"] {
  if (isAuto(storage)) {
    const found = autoStorage?.() ?? [];
    if (found.length > 0) return found;
    const cure = isBrowser() ? "pass an object with read() and write()" : WITHOUT_BROWSER;
    throw new InvalidInputError(`options.storage: ${noStorage(autoStorage)}; ${cure}, or "memory" to keep nothing`);
  }
  if (isObject(storage)) return [storage];
  const names: readonly unknown[] = isList(storage) ? storage : [storage];
  if (names.length > 0 && names.every(isName) && (isBrowser() || names.includes("memory"))) return names;
  const cure = isBrowser()
    ? `pass "auto", ${STORAGES.map((name) => `"${name}"`).join(", ")}, a list of them, or an object with read() and write()`
    : `${WITHOUT_BROWSER}, or "memory" to keep nothing`;
  throw refused("options.storage", shown(storage), cure);
}

const isAuto = (storage: MemoryOptions["storage"]): storage is "auto" | undefined => storage === undefined || storage === "auto";

const isName = (storage: unknown): storage is StorageName => typeof storage === "string" && STORAGES.includes(storage);

/** Whether this is a storage of the app. */
export function isObject(storage: unknown): storage is StorageObject {
  const object = storage as Partial<StorageObject> | null | undefined;
  return passes(() => typeof object === "object" && typeof object?.read === "function" && typeof object.write === "function");
}

function embedder(embed: Embedder): Pick<EngineConfiguration, "embed" | "embedderId"> {
  if (typeof embed?.id !== "string" || embed.id === "" || typeof embed.embed !== "function") {
    throw refused("options.embed", kind(embed), "pass { id, embed(texts) }; the id tells the vectors of different models apart");
  }
  return { embed: (texts, options) => embed.embed(texts, options), embedderId: embed.id };
}
