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
  ForgottenError,
  InternalError,
  InvalidFilterError,
  InvalidInputError,
  InvalidSchemaError,
  InvalidScopeError,
  LoadError,
  LockedError,
  MnemicError,
  ModelError,
  NotFoundError,
  QuotaExceededError,
  ReadOnlyError,
  SchemaViolationError,
  SecretError,
  StorageError,
  TimeoutError,
  UnsupportedVersionError,
  WrongKeyError,
  type ErrorCode,
  type MnemicErrorOptions,
} from "./errors.js";
export type { Durability } from "./durability.js";
export type { Encryption, EncryptionKey, EncryptionStatus, ScopeEncryption, ScopeEncryptionStatus } from "./encryption.js";
export type { PasskeyOptions } from "./passkey.js";
export type { Archive, ArchiveQuery, InsertOptions, Passage } from "./archive.js";
export type { Backup, BackupOptions, BackupState, BackupTarget } from "./backup/automatic.js";
export type { ReadableFile } from "./backup/files.js";
export type { BackupSource } from "./backup/source.js";
export type { ExportOptions, Restored, RestoreOptions, RestoreProgress } from "./backup/transfer.js";
export type { Block, Blocks, NewBlock } from "./blocks.js";
export type { Saved, SaveOptions, Temporary, TemporaryMessage } from "./temporary.js";
export type { ForgetOptions, ForgetSelector, Forgotten, ForgottenKind, ForgottenRecord } from "./forget.js";
export type { Commit, CommitChange, CommitListOptions, Commits } from "./commits.js";
export type {
  Called,
  Context,
  ContextOptions,
  ContextStatus,
  FunctionOptions,
  Loaded,
  LoadOptions,
  Stepped,
  StepOptions,
} from "./context.js";
export type {
  DeleteAllOptions,
  DeletedDocuments,
  Document,
  DocumentDeleteOptions,
  DocumentEntry,
  DocumentListOptions,
  DocumentOperation,
  DocumentOutcome,
  Documents,
  DocumentSearchOptions,
  DocumentSelection,
  DocumentValue,
  FoundDocument,
  GetOptions,
  MoveDocumentOptions,
  NamespaceOptions,
  NamespacePattern,
  PutOptions,
} from "./documents.js";
export type { ChangeEvent, Events, ExtractionEvent, LockEvent, RestartEvent, WipedEvent } from "./events.js";
export type { Episode, EpisodeChanges, EpisodeListOptions, Episodes, NewEpisode } from "./episodes.js";
export type { Instruction, InstructionOptions, Instructions, ReviseOptions } from "./instructions.js";
export type { Item, ItemChanges, ItemKind, ItemListOptions, Items, Purged, PurgeOptions } from "./items.js";
export type { ConsolidateOptions, Facts, GetFactOptions, ImportedFacts, ListOptions, SearchOptions } from "./facts.js";
export { skippedEntitiesNotice, type Graph } from "./graph.js";
export type { Memory } from "./memory.js";
export type { MovableStorage, MoveMemory, MoveOptions } from "./move.js";
export type { Embedder, Llm, LlmRequest, TextPurpose, Vector } from "./models.js";
export type { DocumentOptions, ExtractionExample, ExtractionOptions, GuardOptions, HistoryOptions, MemoryOptions, OpenMemory, SummaryOptions, TierOptions, Topic, Trigger, Ttl } from "./options.js";
export type { Profile, Profiles, ProfilesOf, SetOptions } from "./profiles.js";
export type { Proposal, Proposals, ProposedChange } from "./proposals.js";
export type { FailedItem, Imported, ImportFormat, ImportOptions, ImportProgress, ImportSource } from "./import/format.js";
export type { FromSchema, JsonSchema, ProfileOf, ProfileSchemas, StandardSchema } from "./schema.js";
export type { Scope } from "./scope.js";
export type { Span } from "./spans.js";
export type {
  AnthropicBlock,
  AnthropicPrompt,
  AnthropicText,
  AssembleOptions,
  OpenAiMessage,
  OpenAiPrompt,
  PromptItem,
  PromptReport,
  Prompts,
  TextPrompt,
} from "./assembly.js";
export { deleteMemory, type DeleteOptions } from "./safekeeping/deletion.js";
export type { Health } from "./safekeeping/health.js";
export type { CopyKind, Pairs, StorageBatch, StorageKind, StorageName, StorageObject } from "./storage.js";
export type {
  AppendOptions,
  ChatMessage,
  MessageSearchOptions,
  MessagesOptions,
  SummariesOptions,
  ThreadWindow,
  Threads,
  Trimmed,
  TrimOptions,
  WindowOptions,
} from "./threads.js";
export type {
  AnthropicTool,
  McpTool,
  OpenAiTool,
  ToolCallOptions,
  ToolDefinitions,
  ToolOptions,
  ToolParameters,
  ToolResult,
  ToolSet,
} from "./tools.js";
export type {
  AgentTrait,
  Heat,
  NewPage,
  Page,
  RespondOptions,
  Retrieved,
  RetrieveOptions,
  Segment,
  TierPrompt,
  TierPromptOptions,
  Tiers,
  TierState,
  TierUpdate,
  Trait,
} from "./tiers.js";
export type * from "./types.js";
export type { View } from "./view.js";
