/**
 * Storages of Node, a pool for servers, and the standard streams for `mnemic/mcp`.
 *
 * @packageDocumentation
 */
export { fileStorage, type FileStorageOptions } from "./file-storage.js";
export { memoryPool } from "./pool.js";
export type { Closable, MemoryPool, MemoryPoolOptions } from "./pool.js";
export { sqliteStorage } from "./sqlite.js";
export type { SqliteStorage, SqliteStorageOptions } from "./sqlite.js";
export { stdioTransport, type StdioOptions } from "./stdio.js";
