/**
 * What every entry offers beside `openMemory`.
 *
 * @packageDocumentation
 */
export {
  AbortedError,
  BudgetExceededError,
  ClosedError,
  ConflictError,
  CorruptError,
  CrashedError,
  EmbedderError,
  InternalError,
  InvalidFilterError,
  InvalidInputError,
  InvalidSchemaError,
  InvalidScopeError,
  LoadError,
  MnemicError,
  ModelError,
  NotFoundError,
  QuotaExceededError,
  SchemaViolationError,
  StorageError,
  TimeoutError,
  UnsupportedVersionError,
  type ErrorCode,
  type MnemicErrorOptions,
} from "./errors.js";
export type { ChangeEvent, Events, ExtractionEvent } from "./events.js";
export type { Episode, EpisodeChanges, EpisodeListOptions, Episodes, NewEpisode } from "./episodes.js";
export type { Facts, Imported, ListOptions, SearchOptions } from "./facts.js";
export type { Instruction, InstructionOptions, Instructions, ReviseOptions } from "./instructions.js";
export type { Item, ItemChanges, ItemKind, ItemListOptions, Items, Purged, PurgeOptions } from "./items.js";
export type { Memory } from "./memory.js";
export type { Embedder, Llm, LlmRequest, Vector } from "./models.js";
export type { ExtractionOptions, MemoryOptions, OpenMemory } from "./options.js";
export type { Profile, Profiles, ProfilesOf } from "./profiles.js";
export type { FromSchema, JsonSchema, ProfileOf, ProfileSchemas, StandardSchema } from "./schema.js";
export type { RecallOptions, RememberOptions, Scope } from "./scope.js";
export type { Pairs, StorageBatch, StorageKind, StorageObject } from "./storage.js";
export type { MessageSearchOptions, MessagesOptions, Threads } from "./threads.js";
export type * from "./types.js";
export type { View } from "./view.js";
