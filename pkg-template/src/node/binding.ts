/** SQLite as Node brings it, or as the package better-sqlite3 does: the part of both that is the same. */
import { createRequire } from "node:module";
import { LoadError, MnemicError, QuotaExceededError, StorageError } from "../errors.js";

/** A value of a column, or of a parameter. */
export type SqliteValue = string | number | Uint8Array | null;

/** A prepared statement. */
export interface SqliteStatement {
  all(...values: SqliteValue[]): unknown[];
  get(...values: SqliteValue[]): unknown;
  run(...values: SqliteValue[]): { changes: number | bigint };
}

/** An open database. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** Opens a database. */
export type OpenSqlite = (path: string) => SqliteDatabase;

type Constructor = new (path: string) => SqliteDatabase;

/** The newest better-sqlite3 that runs in Node 20; later ones end the process. */
const LAST_FOR_NODE_20 = 12;

let found: OpenSqlite | undefined;

/**
 * Finds a binding.
 *
 * @throws LoadError when there is none, with what to install.
 */
export function sqliteBinding(): OpenSqlite {
  if (found === undefined) {
    const Database = ofNode() ?? ofPackage();
    found = (path) => new Database(path);
  }
  return found;
}

function ofNode(): Constructor | undefined {
  const sqlite = process.getBuiltinModule?.("node:sqlite") as { DatabaseSync: Constructor } | undefined;
  return sqlite?.DatabaseSync;
}

function ofPackage(): Constructor {
  const require = createRequire(import.meta.url);
  const major = Number(process.versions.node.split(".")[0]);
  try {
    const { version } = require("better-sqlite3/package.json") as { version: string };
    if (major < 22 && Number(version.split(".")[0]) > LAST_FOR_NODE_20) {
      throw new Error(`better-sqlite3 ${version} does not run in Node ${process.versions.node}`);
    }
    const Database = require("better-sqlite3") as Constructor;
    // Only the first database loads the compiled part, which may be missing.
    new Database(":memory:").close();
    return Database;
  } catch (cause) {
    const wanted = major < 22 ? `better-sqlite3@${LAST_FOR_NODE_20}` : "better-sqlite3";
    throw new LoadError(
      `there is no SQLite here: Node ${process.versions.node} has no node:sqlite, and better-sqlite3 cannot be loaded (${String(cause).split("\n", 1)[0]}); ` +
        `run npm install ${wanted}, use Node 22.13 or newer, or take fileStorage()`,
      { cause, details: { file: "better-sqlite3" } },
    );
  }
}

const BUSY = 5;
const FULL = 13;

/** The typed error of what a binding threw. */
export function sqliteFailure(thrown: unknown, path: string): MnemicError {
  if (thrown instanceof MnemicError) return thrown;
  const { message = String(thrown), code, errcode } = thrown as { message?: string; code?: unknown; errcode?: unknown };
  // Node tells a number whose lowest byte is the kind of error, the package a name.
  const is = (kind: number, name: string): boolean =>
    typeof errcode === "number" ? (errcode & 0xff) === kind : typeof code === "string" && code.startsWith(name);
  if (is(FULL, "SQLITE_FULL")) {
    return new QuotaExceededError(`there is no room for ${path} (${message}); free some space and try again`, { cause: thrown });
  }
  if (is(BUSY, "SQLITE_BUSY")) {
    return new StorageError(`${path} is locked by another connection (${message}); try again, or raise busyTimeoutMs`, {
      cause: thrown,
    });
  }
  return new StorageError(`SQLite failed on ${path}: ${message}`, { cause: thrown });
}
