/** From what an app says to what the engine is opened with: every option is checked before anything is loaded. */
import { InvalidInputError } from "./errors.js";
import type { EngineConfiguration } from "./mnemic.js";
import type { Embedder } from "./models.js";
import type { MemoryOptions } from "./options.js";
import { isRecord, kind, plain, refused, shown } from "./plain.js";
import { jsonSchemas, type ProfileSchemas } from "./schema.js";

/** Finds the storage of `"auto"`; undefined when there is none. */
export type AutoStorage = () => "indexeddb" | "localstorage" | undefined;

const NAMES = ["name", "storage", "durability", "llm", "embed", "countTokens", "profiles", "extraction", "documents", "summaries", "context", "tiers"];
const STORAGES = ["indexeddb", "localstorage", "memory"];

/**
 * The engine's configuration.
 *
 * @throws InvalidInputError or InvalidSchemaError naming the option.
 */
export function engineConfiguration(
  options: MemoryOptions<ProfileSchemas>,
  autoStorage: AutoStorage | undefined,
): EngineConfiguration {
  if (!isRecord(options)) throw refused("options", kind(options), 'pass an object such as { name: "chat" }');
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw new InvalidInputError(`options.${unknown}: unknown option; the options are ${NAMES.join(", ")}`);
  }
  const { name, durability = "strict", llm, embed, countTokens, profiles, extraction, documents, summaries, context, tiers } = options;
  if (typeof name !== "string" || !/^[A-Za-z0-9._-]{1,64}$/.test(name)) {
    throw refused("options.name", shown(name), "pass 1 to 64 of A-Z a-z 0-9 . _ -");
  }
  if (durability !== "strict" && durability !== "relaxed") {
    throw refused("options.durability", shown(durability), 'pass "strict" or "relaxed"');
  }
  if (llm !== undefined && typeof llm !== "function") {
    throw refused("options.llm", kind(llm), "pass a function, such as openAICompatible() of mnemic/adapters makes");
  }
  if (countTokens !== undefined && typeof countTokens !== "function") {
    throw refused("options.countTokens", kind(countTokens), "pass a function from a text to its number of tokens");
  }
  if (profiles !== undefined && !isRecord(profiles)) {
    throw refused("options.profiles", kind(profiles), "pass an object of schemas by id");
  }
  return {
    name,
    durability,
    storage: chosenStorage(options.storage, autoStorage),
    ...(llm && { llm }),
    ...(embed !== undefined && embedder(embed)),
    ...(countTokens && { countTokens }),
    options: plain({ profiles: profiles && jsonSchemas(profiles), extraction, documents, summaries, context, tiers }),
  };
}

function chosenStorage(storage: MemoryOptions["storage"], autoStorage: AutoStorage | undefined): EngineConfiguration["storage"] {
  if (storage === undefined || storage === "auto") {
    const auto = autoStorage?.();
    if (auto !== undefined) return auto;
    throw new InvalidInputError(
      'options.storage: there is neither IndexedDB nor localStorage here; pass a StorageObject, or "memory" to keep nothing',
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
