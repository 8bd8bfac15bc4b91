/** The users' memories: a file for each of them. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "mnemic";
import { fileStorage, memoryPool } from "mnemic/node";

const folder = process.env.MEMORIES ?? "memories";
mkdirSync(folder, { recursive: true });

const fileOf = (userId) => join(folder, `${createHash("sha256").update(userId, "utf16le").digest("hex")}.mnemic`);
const open = (userId) => openMemory({ name: "chat", storage: fileStorage(fileOf(userId)) });

/** One for the whole process: Next.js loads this module for the page and for the route, and again when you change it. */
export const pool = (globalThis.memoryPool ??= memoryPool({ open }));

/** Who is asking. Your login decides this. */
export const currentUser = () => "you";

/**
 * Calls `work` with the memory of a user, which stays open until `work` calls `done`: an answer that is streamed ends after its route.
 *
 * @template Answer
 * @param {string} userId
 * @param {(user: import("mnemic").Scope, done: () => void) => Answer} work
 * @returns {Promise<Awaited<Answer>>}
 */
export function withUser(userId, work) {
  return new Promise((answered, failed) => {
    const hold = (memory) => new Promise((done, broken) => Promise.resolve(work(memory.scope({ userId }), done)).then(answered, broken));
    pool.use(userId, hold).catch(failed);
  });
}
