/** Whose memory is handed to a framework, and which of its tools. */
import { kind, known, refused } from "./plain.js";
import type { Scope } from "./scope.js";
import type { ToolOptions } from "./tools.js";

/** A user's memory: what `memory.scope()` gives, or a client of one on Cloudflare. */
export type ToolUser = Pick<Scope, "tools" | "callTool">;

/** Options of a memory's tools for the SDK of a model. Give the same to all functions that belong together. */
export interface MemoryToolsOptions extends Pick<ToolOptions, "include"> {
  /** The conversation the model is in. Default: `"default"`. */
  readonly threadId?: string | undefined;
}

/**
 * A user, when it has the functions that are needed of it.
 *
 * @throws InvalidInputError when it is none, such as the memory itself.
 */
export function checkedUser<User>(user: User, ...functions: readonly unknown[]): User {
  if (functions.some((needed) => typeof needed !== "function")) throw refused("user", kind(user), "pass what memory.scope({ userId }) gives");
  return user;
}

/**
 * The options of tools, when they and the user are such.
 *
 * @throws InvalidInputError when the user is none, or an option is unknown.
 */
export function checkedTools(user: ToolUser, options: MemoryToolsOptions): MemoryToolsOptions {
  checkedUser(user, user?.tools, user?.callTool);
  known(options, ["include", "threadId"]);
  return options;
}
