/**
 * Svelte stores that show a memory and stay current. Their arguments may be stores; `toStore(() => value)` of `svelte/store` makes one of
 * a rune.
 *
 * @packageDocumentation
 */
import { getContext, hasContext, onMount, setContext } from "svelte";
import { derived, readable, type Readable } from "svelte/store";
import type { CommitListOptions } from "../commits.js";
import { InvalidInputError } from "../errors.js";
import type { ListOptions } from "../facts.js";
import { threadOf, undoOf, type LiveThread, type LiveUndo } from "../live/calls.js";
import { openingOf, type GivenMemory } from "../live/opening.js";
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
import { LiveUser, UNOPENED, userKey, type Answering, type UsedMemory } from "../live/user.js";
import type { ProfilesOf } from "../profiles.js";
import type { ProfileSchemas } from "../schema.js";
import type { Scope } from "../scope.js";
import type { Fact, Recalled, RecallOptions, ScopePairs } from "../types.js";

export type { LiveThread, LiveUndo, ThreadCalls, UndoCalls } from "../live/calls.js";
export type { GivenMemory } from "../live/opening.js";
export type { ChangedKind } from "../live/query.js";
export type { ThreadOptions, Wanted } from "../live/questions.js";
export type { ReplyingModel, SendOptions } from "../live/sending.js";
export type { Live, Standing } from "../live/state.js";
export type { UsedMemory } from "../live/user.js";

/** A value, or a store of it. */
export type MaybeStore<Value> = Value | Readable<Value>;

const KEY = Symbol("mnemic");

/**
 * Gives this component and those below it the memory of a user. Call it while the component is made.
 *
 * @param memory A function that opens the memory, called in the browser when the component is mounted; the memory is closed when the
 *   last component that provides the same function is gone. Or a memory that is open, which is yours to close.
 * @param user Whose memory is shown, as for `memory.scope`. With another user nothing of the former is shown. Null: nobody is logged
 *   in, and nothing is asked.
 *
 * @example
 * ```ts no-run
 * import { openMemory } from "mnemic";
 * import { liveFacts, provideMemory } from "mnemic/svelte";
 *
 * provideMemory(() => openMemory({ name: "my-chat" }), { userId: "ana" });
 * const facts = liveFacts({ limit: 20 }); // $facts.data, $facts.error, $facts.pending
 * ```
 */
export function provideMemory(memory: GivenMemory, user: MaybeStore<ScopePairs | null>): void {
  const opening = openingOf(memory);
  let live: LiveUser | undefined;
  // The same user is the same object, which is what those who listen compare.
  const liveOf = (pairs: ScopePairs | null): LiveUser => (live?.key === userKey(pairs) ? live : (live = new LiveUser(opening, pairs)));
  setContext(KEY, derived(storeOf(user), liveOf));
  onMount(() => opening.take());
}

/** The memory and the user's part of it, for calls: undefined until it is open, and always on a server. */
export function liveMemory<Schemas extends ProfileSchemas = {}>(): Readable<UsedMemory<Schemas>> {
  const listening = (live: LiveUser, set: (used: UsedMemory) => void): (() => void) => {
    set(live.used);
    return live.opening.listen(() => set(live.used));
  };
  return derived(usersOf("liveMemory"), listening, UNOPENED) as Readable<UsedMemory<Schemas>>;
}

/**
 * What is relevant to a query, as `user.recall` returns it, kept current. Nothing is asked while the query is empty. With another query the
 * last answer stands, with `stale`, until the next is there.
 */
export function liveRecall(
  query: MaybeStore<string | null | undefined>,
  options?: MaybeStore<Wanted<RecallOptions> | undefined>,
): Readable<Standing<Recalled>> {
  const question = derived([storeOf(query), storeOf(options)], (given) => recallQuestion(...given));
  const users = derived(usersOf("liveRecall"), (live) => new StandingUser(live));
  return answers(users, question) as Readable<Standing<Recalled>>;
}

/** The facts that `user.facts.list` returns, kept current. */
export function liveFacts(options?: MaybeStore<Wanted<ListOptions> | undefined>): Readable<Live<Fact[]>> {
  return answers(usersOf("liveFacts"), derived(storeOf(options), factsQuestion));
}

/** All profiles by schema id, as `user.profiles.get` returns them, kept current. The type of the schemas is yours to name. */
export function liveProfile<Schemas extends ProfileSchemas = {}>(): Readable<Live<ProfilesOf<Schemas>>> {
  return answers(usersOf("liveProfile"), readable(profilesQuestion<Schemas>()));
}

/** The newest messages of a thread, oldest first, kept current. A message appears when it is stored. */
export function liveThread(threadId: MaybeStore<string>, options?: MaybeStore<ThreadOptions | undefined>): Readable<LiveThread> {
  const thread = derived([storeOf(threadId), storeOf(options)], ([id, options]) => [id, threadQuestion(id, options)] as const);
  return listened(usersOf("liveThread"), thread, ([, question]) => question, (live, [id, question]) => threadOf(live, id, question, live.state(question)));
}

/** What happened in the user's memory, as `user.commits.list` returns it, kept current, and undoing it. */
export function liveUndo(options?: MaybeStore<Wanted<CommitListOptions> | undefined>): Readable<LiveUndo> {
  const question = derived(storeOf(options), commitsQuestion);
  return listened(usersOf("liveUndo"), question, (question) => question, (live, question) => undoOf(live, live.state(question)));
}

/**
 * Whatever else you ask of the user's memory, kept current. `key` names all that the question depends on: questions with one key share
 * one answer. The scope it gets is read-only.
 *
 * @param kinds The kinds of records whose changes may change the answer. Default: all.
 */
export function live<Data>(
  key: MaybeStore<string>,
  ask: (user: Scope, signal: AbortSignal) => Promise<Data>,
  kinds?: readonly ChangedKind[],
): Readable<Live<Data>> {
  return answers(usersOf("live"), derived(storeOf(key), (key) => ownQuestion(key, ask, kinds)));
}

function answers<Data>(users: Readable<Answering>, question: Readable<Question<Data> | undefined>): Readable<Live<Data>> {
  return listened(users, question, (question) => question, (user, question) => user.state(question), PENDING);
}

/** What is known of a user, as long as somebody listens. */
function listened<User extends Answering, Asked, State>(
  users: Readable<User>,
  asked: Readable<Asked>,
  questionOf: (asked: Asked) => Question<unknown> | undefined,
  read: (user: User, asked: Asked) => State,
  before?: State,
): Readable<State> {
  const listening = ([user, asked]: [User, Asked], set: (state: State) => void): (() => void) => {
    set(read(user, asked));
    return user.ask(questionOf(asked), () => set(read(user, asked)));
  };
  return derived([users, asked], listening, before);
}

/** The users of this component. @throws InvalidInputError when none is provided. */
function usersOf(store: string): Readable<LiveUser> {
  if (!hasContext(KEY)) throw new InvalidInputError(`${store}: no component above provides a memory; call provideMemory() in the app's`);
  return getContext(KEY);
}

const storeOf = <Value>(value: MaybeStore<Value>): Readable<Value> => (isStore(value) ? value : readable(value));

const isStore = <Value>(value: MaybeStore<Value>): value is Readable<Value> =>
  typeof (value as Partial<Readable<Value>> | null | undefined)?.subscribe === "function";
