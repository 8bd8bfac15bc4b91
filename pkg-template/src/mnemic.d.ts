/** The engine as it crosses from WebAssembly: the module `mnemic.js`, which the build makes of wasm-bindgen's glue. */
import type { Durability } from "./durability.js";
import type { FindKey } from "./encryption.js";
import type { Imported, ImportOptions, ImportSource } from "./import/format.js";
import type { Embedder, Llm } from "./models.js";
import type { Pairs, StorageBatch, StorageKind, StorageObject } from "./storage.js";

/** What an engine is opened with. */
export interface EngineConfiguration {
  name: string;
  storage: Exclude<StorageKind, "object"> | StorageObject;
  durability: Durability;
  llm?: Llm;
  embed?: Embedder["embed"];
  embedderId?: string;
  countTokens?: (text: string) => number;
  encryptionKey?: FindKey;
  /** The counter that the memory is known to have had. */
  knownCounter?: number;
  /** JSON text. */
  options: string;
}

/**
 * The same, with what brings later parts of the engine to its instance, and answers nothing when one is there; without it, all parts
 * must be in the first module.
 */
interface CompleteConfiguration extends EngineConfiguration {
  loadPart?(part: "search" | "systems" | "rules" | "folding" | "encryption"): Promise<void> | undefined;
  /** Whether a part is there; given together with `loadPart`. */
  hasPart?(part: "search" | "systems" | "rules" | "folding" | "encryption"): boolean;
}

/** One open engine inside an instance. */
export interface Engine {
  /**
   * JSON text in, JSON text out; `scope` is empty for what concerns the whole engine. `numbers` are those of vectors that the options say
   * the places of. A page that shares an engine with others says
   * whether it looks after itself; what is written meanwhile is not its own.
   */
  call(method: string, scope: string, options: string, numbers?: Float32Array, isUpkeep?: boolean): Promise<string>;
  /** The same for options that are long, as UTF-8 in pieces that move to the engine; missing when that is here. */
  callLong?(method: string, scope: string, options: readonly Uint8Array<ArrayBuffer>[], numbers?: Float32Array): Promise<string>;
  /** Moves a piece of a transfer: takes bytes in, or answers the next, none after the last. */
  transfer(number: number, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  /** Imports into a scope where the engine runs; missing when that is here. */
  import?(scope: string, source: ImportSource, options: ImportOptions): Promise<Imported>;
  /** Sets the one listener, which is given events as JSON text. */
  listen(callback: (event: string) => void): void;
  /** Encrypts the memory, or changes its key. With a scope, that gets a lock of its own or another one, or is unlocked. */
  encrypt(key: FindKey, scope: string, unlocks: boolean): Promise<void>;
  /** Looks for commits of other tabs. */
  refresh(): Promise<void>;
  close(): Promise<void>;
  /** Gives the engine's memory back to its instance. */
  free(): void;
}

/** A storage of the browser, as the engine uses it. */
export interface StorageHandle {
  read(start: string, end: string): Promise<Pairs>;
  write(batch: StorageBatch, expectedHead: number): Promise<void>;
  close(): void;
}

/** Which storage a handle is for. */
export type StorageAddress = Pick<EngineConfiguration, "name" | "storage" | "durability">;

/** The JavaScript side of one instance. */
export interface Glue {
  readonly StorageHandle: { open(address: StorageAddress): Promise<StorageHandle> };
  readonly Engine: { open(configuration: CompleteConfiguration): Promise<Engine> };
  /** The imports the module asks for. */
  imports(): WebAssembly.Imports;
  /** Ties the glue to an instance; called once. */
  start(instance: WebAssembly.Instance, module: WebAssembly.Module): void;
}

/** Makes the JavaScript side of a new instance. */
export declare function createGlue(): Glue;
