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
export type {
  Document,
  DocumentOperation,
  DocumentOutcome,
  Documents,
  DocumentSearchChoices,
  DocumentSearchOptions,
  DocumentValue,
  FoundDocument,
  GetOptions,
  NamespaceChoices,
  NamespaceOptions,
  PutChoices,
  PutOptions,
  ReadChoices,
} from "./documents.js";
export type { ChangeEvent, Events, ExtractionEvent } from "./events.js";
export type { Facts, ListOptions, SearchOptions } from "./facts.js";
export type { FailedItem, Imported, ImportFormat, ImportOptions, ImportProgress, ImportSource } from "./import/format.js";
export type { Memory } from "./memory.js";
export type { Embedder, Llm, LlmRequest, Vector } from "./models.js";
export type { DocumentOptions, ExtractionOptions, MemoryOptions, OpenMemory } from "./options.js";
export type { Profile, Profiles, ProfilesOf } from "./profiles.js";
export type { FromSchema, JsonSchema, ProfileOf, ProfileSchemas, StandardSchema } from "./schema.js";
export type { RecallOptions, RememberOptions, Scope } from "./scope.js";
export type { Pairs, StorageBatch, StorageKind, StorageObject } from "./storage.js";
export type { MessageSearchOptions, MessagesOptions, Threads } from "./threads.js";
export type * from "./types.js";
export type { View } from "./view.js";
