/**
 * Storages of Node.
 *
 * @packageDocumentation
 */
export { sqliteStorage } from "./sqlite.js";
export type { SqliteStorage, SqliteStorageOptions } from "./sqlite.js";
