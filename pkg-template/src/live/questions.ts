/** The questions that every framework asks in the same words. */
import type { CommitListOptions, Commit } from "../commits.js";
import { InvalidInputError } from "../errors.js";
import type { ListOptions } from "../facts.js";
import type { ProfilesOf } from "../profiles.js";
import type { ProfileSchemas } from "../schema.js";
import type { Scope } from "../scope.js";
import type { CallOptions, Fact, Recalled, RecallOptions, StoredMessage } from "../types.js";
import type { ChangedKind, Question } from "./query.js";

/** The options of a method, but for `signal`: a question ends when nobody wants its answer. */
export type Wanted<Options extends CallOptions> = Omit<Options, "signal">;

/** Options of a thread. */
export interface ThreadOptions {
  /** How many messages a page has, 1 to 500. Default: 50. */
  readonly pageSize?: number | undefined;
}

/** A part of a thread, from the newest message back. */
export interface ThreadPart {
  /** Oldest first. */
  readonly messages: StoredMessage[];
  /** Whether the thread has earlier ones. */
  readonly hasEarlier: boolean;
}

/** What `facts.list` returns. */
export const factsQuestion = (options?: Wanted<ListOptions>): Question<Fact[]> => ({
  key: keyOf("facts", options),
  kinds: ["fact"],
  ask: (user, { signal }) => user.facts.list({ ...options, signal }),
});

/** What `profiles.get` returns. */
export const profilesQuestion = <Schemas extends ProfileSchemas>(): Question<ProfilesOf<Schemas>> => ({
  key: "profiles",
  kinds: ["field"],
  ask: (user, { signal }) => (user as unknown as Scope<Schemas>).profiles.get({ signal }),
});

/** What `recall` returns; none while there is nothing to ask. */
export function recallQuestion(query: string | null | undefined, options?: Wanted<RecallOptions>): Question<Recalled> | undefined {
  if (query === undefined || query === null || query.trim() === "") return undefined;
  return { key: keyOf("recall", query, options), ask: (user, { signal }) => user.recall(query, { ...options, signal }) };
}

/** What `commits.list` returns. */
export const commitsQuestion = (options?: Wanted<CommitListOptions>): Question<Commit[]> => ({
  key: keyOf("commits", options),
  ask: (user, { signal }) => user.commits.list({ ...options, signal }),
});

/** The most messages of one call, and of a page. */
const [MOST_AT_ONCE, MOST_OF_A_PAGE] = [1000, 500];

/** The newest messages of a thread, as many pages as are wanted. */
export const threadQuestion = (threadId: string, { pageSize = 50 }: ThreadOptions = {}): Question<ThreadPart> => ({
  key: keyOf("thread", threadId, pageSize),
  kinds: ["message"],
  async ask(user, { signal, pages }) {
    if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MOST_OF_A_PAGE) {
      throw new InvalidInputError(`options.pageSize is ${String(pageSize)}; pass a whole number from 1 to ${MOST_OF_A_PAGE}`, { details: { path: "options.pageSize" } });
    }
    const wanted = pages * pageSize;
    const found = new Map<string, StoredMessage>();
    // One more tells whether there are earlier ones. One that comes meanwhile moves the others on; they are known by their ids.
    for (let offset = 0; offset <= wanted; offset += MOST_AT_ONCE) {
      const limit = Math.min(MOST_AT_ONCE, wanted + 1 - offset);
      const part = await user.threads.messages(threadId, { order: "desc", limit, offset, signal });
      for (const message of part) found.set(message.id, message);
      if (part.length < limit) break;
    }
    const messages = [...found.values()].slice(0, wanted).reverse();
    return { messages, hasEarlier: found.size > wanted };
  },
});

/** A question of the app's own. */
export const ownQuestion = <Data>(key: string, ask: (user: Scope, signal: AbortSignal) => Promise<Data>, kinds?: readonly ChangedKind[]): Question<Data> => ({
  key: keyOf("own", key, kinds),
  kinds,
  ask: (user, { signal }) => ask(user, signal),
});

const keyOf = (...parts: unknown[]): string => JSON.stringify(parts);
