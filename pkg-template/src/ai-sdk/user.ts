/** Whose memory it is. */
import type { Scope } from "../scope.js";
import type { Threads } from "../threads.js";
import { checkedUser } from "../user.js";

/** A user's memory: what `memory.scope()` gives, or a client of one on Cloudflare. */
export interface MemoryUser extends Pick<Scope, "recall" | "remember" | "tools" | "callTool"> {
  readonly threads: Pick<Threads, "messages" | "remove">;
}

/** @throws InvalidInputError when it is none, such as the memory itself. */
export function checkUser(user: MemoryUser): void {
  checkedUser(user, user?.recall, user?.threads?.messages);
}
