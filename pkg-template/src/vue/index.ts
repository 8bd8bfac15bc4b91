/**
 * Vue composables that show a memory and stay current. Their arguments may be refs or getters.
 *
 * @packageDocumentation
 */
import { computed, onMounted, shallowRef, toValue, watch, type ComputedRef, type MaybeRefOrGetter } from "vue";
import type { Commit, CommitListOptions } from "../commits.js";
import type { ListOptions } from "../facts.js";
import { threadOf, undoOf, type ThreadCalls, type UndoCalls } from "../live/calls.js";
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
import { PENDING, type Live, type Standing } from "../live/state.js";
import { UNOPENED, type Answering, type UsedMemory } from "../live/user.js";
import type { ProfilesOf } from "../profiles.js";
import type { ProfileSchemas } from "../schema.js";
import type { Scope } from "../scope.js";
import type { Fact, Recalled, RecallOptions, StoredMessage } from "../types.js";
import { useLiveUser } from "./provider.js";

export type { ThreadCalls, UndoCalls } from "../live/calls.js";
export type { GivenMemory } from "../live/opening.js";
export type { ChangedKind } from "../live/query.js";
export type { ThreadOptions, Wanted } from "../live/questions.js";
export type { ReplyingModel, SendOptions } from "../live/sending.js";
export type { UsedMemory } from "../live/user.js";
export { provideMemory } from "./provider.js";

/** The parts of a value, each as a ref. */
export type Refs<Value> = { readonly [Part in keyof Value]: ComputedRef<Value[Part]> };

/** A live answer: its data, or why there are none; neither while it is pending. */
export type LiveRefs<Data> = Refs<{ data: Data | undefined; error: Error | undefined; pending: boolean }>;

/** A live answer that stands while the next one is awaited. */
export interface StandingRefs<Data> extends LiveRefs<Data> {
  /** Whether `data` answer the question before, and the answer to this one is awaited. */
  readonly stale: ComputedRef<boolean>;
}

/** A thread as it is stored, and what can be done in it. */
export interface LiveThreadRefs extends LiveRefs<StoredMessage[]>, ThreadCalls {
  /** Whether there are earlier messages than those of `data`; `showEarlier` shows them. */
  readonly hasEarlier: ComputedRef<boolean>;
}

/** The commits of a user, newest first, and undoing them. */
export interface LiveUndoRefs extends LiveRefs<Commit[]>, UndoCalls {
  /** The last commit of `data` that can be undone and is no undo itself; undefined when there is none. */
  readonly last: ComputedRef<Commit | undefined>;
}

/** The memory and the user's part of it, for calls: undefined until it is open, and always on a server. */
export function useMemory<Schemas extends ProfileSchemas = {}>(): Refs<UsedMemory<Schemas>> {
  const live = useLiveUser("useMemory");
  const used = useListened(live, (user, changed) => user.opening.listen(changed), ({ used }) => used, UNOPENED);
  return refsOf(used, ["memory", "user", "error", "pending"]) as unknown as Refs<UsedMemory<Schemas>>;
}

/**
 * What is relevant to a query, as `user.recall` returns it, kept current. Nothing is asked while the query is empty. With another query the
 * last answer stands, with `stale`, until the next is there.
 */
export function useRecall(
  query: MaybeRefOrGetter<string | null | undefined>,
  options?: MaybeRefOrGetter<Wanted<RecallOptions> | undefined>,
): StandingRefs<Recalled> {
  const live = useLiveUser("useRecall");
  const state = useState(computed(() => new StandingUser(live.value)), () => recallQuestion(toValue(query), toValue(options)));
  return refsOf(state as ComputedRef<Standing<Recalled>>, ["data", "error", "pending", "stale"]) as StandingRefs<Recalled>;
}

/** The facts that `user.facts.list` returns, kept current. */
export function useFacts(options?: MaybeRefOrGetter<Wanted<ListOptions> | undefined>): LiveRefs<Fact[]> {
  return useAnswer("useFacts", () => factsQuestion(toValue(options)));
}

/** All profiles by schema id, as `user.profiles.get` returns them, kept current. The type of the schemas is yours to name. */
export function useProfile<Schemas extends ProfileSchemas = {}>(): LiveRefs<ProfilesOf<Schemas>> {
  return useAnswer("useProfile", () => profilesQuestion<Schemas>());
}

/** The newest messages of a thread, oldest first, kept current. A message appears when it is stored. */
export function useThread(threadId: MaybeRefOrGetter<string>, options?: MaybeRefOrGetter<ThreadOptions | undefined>): LiveThreadRefs {
  const question = computed(() => threadQuestion(toValue(threadId), toValue(options)));
  const live = useLiveUser("useThread");
  const state = useState(live, () => question.value);
  const thread = computed(() => threadOf(live.value, toValue(threadId), question.value, state.value));
  return {
    ...refsOf(thread, ["data", "error", "pending", "hasEarlier"]),
    remember: (...given) => thread.value.remember(...given),
    append: (...given) => thread.value.append(...given),
    send: (...given) => thread.value.send(...given),
    showEarlier: () => thread.value.showEarlier(),
  };
}

/** What happened in the user's memory, as `user.commits.list` returns it, kept current, and undoing it. */
export function useUndo(options?: MaybeRefOrGetter<Wanted<CommitListOptions> | undefined>): LiveUndoRefs {
  const live = useLiveUser("useUndo");
  const state = useState(live, () => commitsQuestion(toValue(options)));
  const undone = computed(() => undoOf(live.value, state.value));
  const undo = (...given: []): unknown => undone.value.undo(...given);
  return { ...refsOf(undone, ["data", "error", "pending", "last"]), undo: undo as UndoCalls["undo"] };
}

/**
 * Whatever else you ask of the user's memory, kept current. `key` names all that the question depends on: questions with one key share
 * one answer. The scope it gets is read-only.
 *
 * @param kinds The kinds of records whose changes may change the answer. Default: all.
 */
export function useLive<Data>(
  key: MaybeRefOrGetter<string>,
  ask: (user: Scope, signal: AbortSignal) => Promise<Data>,
  kinds?: readonly ChangedKind[],
): LiveRefs<Data> {
  return useAnswer("useLive", () => ownQuestion(toValue(key), ask, kinds));
}

function useAnswer<Data>(composable: string, question: () => Question<Data> | undefined): LiveRefs<Data> {
  return refsOf(useState(useLiveUser(composable), question), ["data", "error", "pending"]) as LiveRefs<Data>;
}

/** What is known of the answer to a question. One that asks the same as before is not asked again. */
function useState<Data>(user: ComputedRef<Answering>, question: () => Question<Data> | undefined): ComputedRef<Live<Data>> {
  const asked = computed<Question<Data> | undefined>((before) => {
    const now = question();
    return before?.key === now?.key ? before : now;
  });
  const listen = (user: Answering, changed: () => void): (() => void) => user.ask(asked.value, changed);
  return useListened(user, listen, (user) => user.state(asked.value), PENDING, asked);
}

/** What is known of a user, listened to while the component is mounted. */
function useListened<User, State>(
  user: ComputedRef<User>,
  listen: (user: User, changed: () => void) => () => void,
  read: (user: User) => State,
  before: State,
  ...also: Array<ComputedRef<unknown>>
): ComputedRef<State> {
  // What is known is no ref: this tells when to look again. 0: not mounted yet, as on a server.
  const version = shallowRef(0);
  const changed = (): void => void (version.value += 1);
  onMounted(() => {
    const start = (_: unknown, __: unknown, onCleanup: (clean: () => void) => void): void => {
      onCleanup(listen(user.value, changed));
      changed();
    };
    watch([user, ...also], start, { immediate: true });
  });
  return computed(() => (version.value === 0 ? before : read(user.value)));
}

function refsOf<Value extends object, Part extends keyof Value>(value: ComputedRef<Value>, parts: readonly Part[]): Refs<Pick<Value, Part>> {
  return Object.fromEntries(parts.map((part) => [part, computed(() => value.value[part])])) as unknown as Refs<Pick<Value, Part>>;
}
