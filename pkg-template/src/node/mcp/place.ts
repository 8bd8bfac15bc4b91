/** The storage that a file of a memory is for. */
import { closeSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { LoadError } from "../../errors.js";
import { sqliteBinding } from "../binding.js";
import { fileStorage } from "../file-storage.js";
import { sqliteStorage } from "../sqlite.js";

const SQLITE = "SQLite format 3\0";

/** The storage that a file was made by; for a new one SQLite where there is one. */
export function storageOf(path: string): ReturnType<typeof sqliteStorage> | ReturnType<typeof fileStorage> {
  mkdirSync(dirname(path), { recursive: true });
  const beginning = beginningOf(path);
  const isSqlite = beginning === "" ? hasSqlite() : beginning === SQLITE;
  return isSqlite ? sqliteStorage(path) : fileStorage(path);
}

function beginningOf(path: string): string {
  const bytes = Buffer.alloc(SQLITE.length);
  try {
    const file = openSync(path, "r");
    try {
      return bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return "";
    throw error;
  }
}

function hasSqlite(): boolean {
  try {
    sqliteBinding();
    return true;
  } catch (error) {
    if (error instanceof LoadError) return false;
    throw error;
  }
}
