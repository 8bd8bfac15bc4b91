/**
 * Storages of Node, and a pool for servers.
 *
 * @packageDocumentation
 */
export { fileStorage, type FileStorageOptions } from "./file-storage.js";
export { memoryPool } from "./pool.js";
export type { Closable, MemoryPool, MemoryPoolOptions } from "./pool.js";
export { sqliteStorage } from "./sqlite.js";
export type { SqliteStorage, SqliteStorageOptions } from "./sqlite.js";
