/** Anthropic's memory tool over the documents of a user. */
import type { Documents } from "../documents.js";
import { known } from "../plain.js";
import { checkedUser } from "../user.js";
import { Files, type FileCommand } from "./files.js";

/** A user's memory: what `memory.scope()` gives, or a client of one on Cloudflare. */
export interface FileUser {
  readonly documents: Pick<Documents, "get" | "put" | "list" | "batch">;
}

/** Options of {@link memoryTool}. */
export interface MemoryToolOptions {
  /** The namespace of the documents that the files are. Default: `["memories"]`. */
  readonly namespace?: readonly string[] | undefined;
}

/** The memory tool, as the tool runner of Anthropic's SDK takes it. */
export interface AnthropicMemoryTool {
  type: "memory_20250818";
  name: "memory";
  /**
   * Runs a command. Answers what to tell the model. Commands are carried out in their order.
   *
   * @throws Error when the command is wrong, with what to tell the model; nothing was changed.
   */
  run: (command: FileCommand) => Promise<string>;
  parse: (command: unknown) => FileCommand;
}

/**
 * Anthropic's memory tool (`memory_20250818`): the model keeps files, which are documents of the user.
 *
 * @throws InvalidInputError when the user or an option is none.
 *
 * @example
 * ```ts
 * import { memoryTool } from "mnemic/anthropic";
 * const tool = memoryTool(user); // client.beta.messages.toolRunner({ tools: [tool], ... })
 * await tool.run({ command: "create", path: "/memories/preferences.txt", file_text: "Prefers tea" });
 * console.log(await tool.run({ command: "view", path: "/memories/preferences.txt" }));
 * console.log((await user.documents.get(["memories"], "preferences.txt"))?.value); // { text: "Prefers tea" }
 * ```
 */
export function memoryTool(user: FileUser, options: MemoryToolOptions = {}): AnthropicMemoryTool {
  checkedUser(user, user?.documents?.get);
  known(options, ["namespace"]);
  const files = new Files(user.documents, options.namespace ?? ["memories"]);
  let last: Promise<unknown> = Promise.resolve();
  return {
    type: "memory_20250818",
    name: "memory",
    parse: (command) => command as FileCommand,
    run(command) {
      const done = last.then(() => files.carryOut(command));
      last = done.catch(() => {});
      return done;
    },
  };
}
