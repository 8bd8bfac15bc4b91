/** Answers with what can be done about them: a thread, and what can be undone. */
import type { Commit } from "../commits.js";
import { NotFoundError } from "../errors.js";
import type { AppendOptions } from "../threads.js";
import type { CallOptions, GivenMessage, Remembered, RememberOptions, StoredMessage, Undone } from "../types.js";
import type { Question } from "./query.js";
import type { ThreadPart } from "./questions.js";
import { sendIn, type ReplyingModel, type SendOptions } from "./sending.js";
import type { Live } from "./state.js";
import type { LiveUser } from "./user.js";

/** What is done in a thread. Calls wait until the memory is open, and resolve when the messages are stored. */
export interface ThreadCalls {
  /** Stores messages in this thread and learns from them, as `user.remember`. */
  remember(messages: GivenMessage | readonly GivenMessage[], options?: Omit<RememberOptions, "threadId">): Promise<Remembered>;
  /** Stores messages in this thread without learning from them, as `user.threads.append`. */
  append(messages: GivenMessage | readonly GivenMessage[], options?: Omit<AppendOptions, "threadId">): Promise<Remembered>;
  /**
   * A turn of the chat: recalls what matters for a message of the user, stores it, asks your model, stores its reply, and learns from
   * both. If the model fails, the message stays, and sending the same again is the same turn.
   *
   * @returns the reply.
   */
  send(content: string, model: ReplyingModel, options?: SendOptions): Promise<string>;
  /** Shows a page more of earlier messages; resolves when they are there. */
  showEarlier(): Promise<void>;
}

/** A thread as it is stored, and what can be done in it. */
export type LiveThread = Live<StoredMessage[]> &
  ThreadCalls & {
    /** Whether there are earlier messages than those of `data`; `showEarlier` shows them. */
    readonly hasEarlier: boolean;
  };

/** What can be undone. */
export interface UndoCalls {
  /**
   * Undoes a commit, or several, as `user.undo`; without an id the last one that can be undone and is no undo itself. The answer's
   * `commitId` undoes the undo.
   *
   * @throws NotFoundError also when there is nothing to undo.
   */
  undo(): Promise<Undone>;
  undo(commitId: string, options?: CallOptions): Promise<Undone>;
  undo(commitIds: readonly string[], options?: CallOptions): Promise<Undone[]>;
}

/** The commits of a user, newest first, and undoing them. */
export type LiveUndo = Live<Commit[]> &
  UndoCalls & {
    /** The last commit of `data` that can be undone and is no undo itself; undefined when there is none. */
    readonly last: Commit | undefined;
  };

/** A thread of a user, as far as it is known. */
export function threadOf(live: LiveUser, threadId: string, question: Question<ThreadPart>, part: Live<ThreadPart>): LiveThread {
  const { messages, hasEarlier = false } = part.data ?? {};
  return {
    ...part,
    data: messages,
    hasEarlier,
    remember: (given, options) => live.write((user) => user.remember(given, { ...options, threadId })),
    append: (given, options) => live.write((user) => user.threads.append(given, { ...options, threadId })),
    send: (content, model, options) => live.write((user) => sendIn(user, threadId, content, model, options)),
    showEarlier: () => live.extend(question),
  } as LiveThread;
}

/** The commits of a user, as far as they are known. */
export function undoOf(live: LiveUser, commits: Live<Commit[]>): LiveUndo {
  const last = commits.data?.find(({ undoable, cause }) => undoable && cause !== "undo");
  const undo = async (given?: string | readonly string[], options?: CallOptions): Promise<Undone | Undone[]> => {
    const commitId = given ?? last?.commitId;
    if (commitId === undefined) throw new NotFoundError("there is nothing to undo");
    return live.write((user) => user.undo(commitId as string, options));
  };
  return { ...commits, last, undo: undo as UndoCalls["undo"] };
}
