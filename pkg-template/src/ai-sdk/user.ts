/** Whose memory it is. */
import { isRecord, kind, refused } from "../plain.js";
import type { Scope } from "../scope.js";
import type { Threads } from "../threads.js";

/** A user's memory: what `memory.scope()` gives, or a client of one on Cloudflare. */
export interface MemoryUser extends Pick<Scope, "recall" | "remember" | "tools" | "callTool"> {
  readonly threads: Pick<Threads, "messages" | "remove">;
}

/** @throws InvalidInputError when it is none, such as the memory itself. */
export function checkUser(user: unknown): void {
  const { recall, threads } = (Object(user) ?? {}) as Partial<MemoryUser>;
  if (typeof recall !== "function" || threads === undefined) throw refused("user", kind(user), "pass what memory.scope({ userId }) gives");
}

/** @throws InvalidInputError when options are none. */
export function checkOptions(options: unknown): void {
  if (!isRecord(options)) throw refused("options", kind(options), "pass an object");
}
