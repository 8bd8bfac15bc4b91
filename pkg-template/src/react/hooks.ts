"use client";
/** The hooks. */
import { useCallback, useMemo, useSyncExternalStore } from "react";
import type { CommitListOptions } from "../commits.js";
import type { ListOptions } from "../facts.js";
import { threadOf, undoOf, type LiveThread, type LiveUndo } from "../live/calls.js";
import type { ChangedKind, Question } from "../live/query.js";
import {
  commitsQuestion,
  factsQuestion,
  ownQuestion,
  profilesQuestion,
  recallQuestion,
  threadQuestion,
  type ThreadOptions,
  type Wanted,
} from "../live/questions.js";
import { StandingUser } from "../live/standing.js";
import type { Live, Standing } from "../live/state.js";
import { UNOPENED, type Answering, type UsedMemory } from "../live/user.js";
import type { ProfilesOf } from "../profiles.js";
import type { ProfileSchemas } from "../schema.js";
import type { Scope } from "../scope.js";
import type { Fact, Recalled, RecallOptions } from "../types.js";
import { useLiveUser } from "./context.js";

/**
 * The memory and the user's part of it, for calls: undefined until it is open, and always on a server.
 *
 * @example
 * ```ts no-run
 * import { useMemory } from "mnemic/react";
 *
 * function useForgetEverythingAbout() {
 *   const { user } = useMemory();
 *   return (query: string) => user?.forget({ query });
 * }
 * ```
 */
export function useMemory<Schemas extends ProfileSchemas = {}>(): UsedMemory<Schemas> {
  const live = useLiveUser("useMemory");
  const listen = useCallback((listener: () => void) => live.opening.listen(listener), [live]);
  return useSyncExternalStore(listen, () => live.used, unopened) as UsedMemory<Schemas>;
}

/**
 * What is relevant to a query, as `user.recall` returns it, kept current. Nothing is asked while the query is empty. With another query the
 * last answer stands, with `stale`, until the next is there. For the prompt of a message, call `user.recall` when it is sent.
 *
 * @example
 * ```ts no-run
 * import { useRecall } from "mnemic/react";
 *
 * function useKnown(query: string) {
 *   const { data } = useRecall(query, { maxTokens: 400 });
 *   return data?.known;
 * }
 * ```
 */
export function useRecall(query: string | null | undefined, options?: Wanted<RecallOptions>): Standing<Recalled> {
  const live = useLiveUser("useRecall");
  const user = useMemo(() => new StandingUser(live), [live]);
  return useAnswer(user, recallQuestion(query, options)) as Standing<Recalled>;
}

/**
 * The facts that `user.facts.list` returns, kept current.
 *
 * @example
 * ```ts no-run
 * import { useFacts } from "mnemic/react";
 *
 * function useGoals() {
 *   const { data = [] } = useFacts({ filter: { category: "goal" }, limit: 20 });
 *   return data.map(({ text }) => text);
 * }
 * ```
 */
export function useFacts(options?: Wanted<ListOptions>): Live<Fact[]> {
  return useAnswer(useLiveUser("useFacts"), factsQuestion(options));
}

/**
 * All profiles by schema id, as `user.profiles.get` returns them, kept current. The type of the schemas is yours to name.
 *
 * @example
 * ```ts no-run
 * import { useProfile } from "mnemic/react";
 *
 * const PROFILES = { settings: { type: "object", properties: { language: { enum: ["de", "en"] } } } } as const;
 *
 * function useLanguage() {
 *   return useProfile<typeof PROFILES>().data?.settings.profile.language; // "de" | "en" | undefined
 * }
 * ```
 */
export function useProfile<Schemas extends ProfileSchemas = {}>(): Live<ProfilesOf<Schemas>> {
  return useAnswer(useLiveUser("useProfile"), profilesQuestion<Schemas>());
}

/**
 * The newest messages of a thread, oldest first, kept current. A message appears when it is stored.
 *
 * @example
 * ```ts no-run
 * import { useThread } from "mnemic/react";
 *
 * function useChat(threadId: string) {
 *   const { data = [], remember, hasEarlier, showEarlier } = useThread(threadId, { pageSize: 20 });
 *   const say = (content: string) => remember({ role: "user", content });
 *   return { messages: data, say, showEarlier: hasEarlier ? showEarlier : undefined };
 * }
 * ```
 */
export function useThread(threadId: string, options?: ThreadOptions): LiveThread {
  const live = useLiveUser("useThread");
  const question = threadQuestion(threadId, options);
  const part = useAnswer(live, question);
  return useMemo(() => threadOf(live, threadId, question, part), [live, part, question.key]);
}

/**
 * What happened in the user's memory, as `user.commits.list` returns it, kept current, and undoing it.
 *
 * @example
 * ```ts no-run
 * import { useUndo } from "mnemic/react";
 *
 * function useUndoButton() {
 *   const { last, undo } = useUndo({ causes: ["user", "extract"], limit: 20 });
 *   return { label: last && `Undo: ${last.summary}`, press: () => undo() };
 * }
 * ```
 */
export function useUndo(options?: Wanted<CommitListOptions>): LiveUndo {
  const live = useLiveUser("useUndo");
  const commits = useAnswer(live, commitsQuestion(options));
  return useMemo(() => undoOf(live, commits), [live, commits]);
}

/**
 * Whatever else you ask of the user's memory, kept current. `key` names all that the question depends on: questions with one key share
 * one answer. The scope it gets is read-only.
 *
 * @param kinds The kinds of records whose changes may change the answer. Default: all.
 *
 * @example
 * ```ts no-run
 * import { useLive } from "mnemic/react";
 *
 * function useNotes(folder: string) {
 *   return useLive(`notes ${folder}`, (user, signal) => user.documents.search(["notes", folder], { signal }), ["document"]);
 * }
 * ```
 */
export function useLive<Data>(key: string, ask: (user: Scope, signal: AbortSignal) => Promise<Data>, kinds?: readonly ChangedKind[]): Live<Data> {
  return useAnswer(useLiveUser("useLive"), ownQuestion(key, ask, kinds));
}

/** The answer to a question. Questions of one key are equal, so the first is asked. */
function useAnswer<Data>(user: Answering, question: Question<Data> | undefined): Live<Data> {
  const key = question?.key;
  const listen = useCallback((listener: () => void) => user.ask(question, listener), [user, key]);
  return useSyncExternalStore(listen, () => user.state(question), () => user.state(undefined));
}

const unopened = (): UsedMemory => UNOPENED;
