/** The open memory of this browser's user, and the model that is connected to it. */
import type { Action, ChangeEvent, EncryptionKey, Fact, ModelUsage, StorageObject, WipedEvent } from "mnemic";
import { openMemory } from "mnemic";
import { type Chat, inPages, KeptChat, TEMPORARY, TemporaryChat } from "./chat/chat";
import { forbidUnfinished, forgetUnfinished } from "./chat/unfinished";
import { connectModel, type Model } from "./models/model";
import { FIELD_NAMES, PROFILE_ID, PROFILE_SCHEMA } from "./profile-schema";
import { dropFromDevice, keepOnDevice, readDevice } from "./page/device";
import { spentBetween } from "./panel/cost";
import { loadSettings, saveSettings, type Settings } from "./settings";
import { MEMORY_ALONE } from "./signature";
import type { Field, Memory, Temporary, User } from "./types";
import { NO_TOOLS, type Toolbox, toolboxFor } from "./window/toolbox";

/** Everything the memory holds about the user now. */
export interface Recollection {
  readonly fields: readonly Field[];
  readonly facts: readonly Fact[];
}

/** Why messages could not be read into the memory; told until a later attempt succeeds. */
export interface ReadingFailure {
  readonly message: string;
  readonly retryAt: number | undefined;
}

/** What was learned from a chat in the background, and what it cost. */
export interface Learned {
  readonly actions: readonly Action[];
  readonly usage: ModelUsage;
}

const NOTHING_SPENT: ModelUsage = { calls: 0, failures: 0, inputTokens: 0, outputTokens: 0 };

/** That the memory was locked: a new one in its place is not. */
export const LOCKED = "mnemic-demo-locked";
/** What the memory is called. */
export const MEMORY_NAME = "mnemic-demo";
/** Enough of a part of an exchange to sort it by, and less than the most that is taken. */
const EXCHANGE_CHARACTERS = 20_000;
/** In place of a reply that repeats only what the memory has. */
export const NO_ANSWER = "–";
/** So many messages of a chat that are neither in sight nor in its summary are worth a summary. */
const WORTH_A_SUMMARY = 4;
/** More messages than this cost many requests: they are summarised when the user says so. */
const MOST_TO_SUMMARISE = 200;
/** How the engine sorts what was said: nothing in it is the user's to take back. */
const SORTING = new Set<ChangeEvent["changes"][number]["kind"]>(["task", "page", "segment", "summary"]);

/** How the memory is opened: both are undefined as long as it is kept in this browser, and not locked. */
export interface Opening {
  readonly storage?: StorageObject | undefined;
  readonly encryption?: EncryptionKey | undefined;
}

export class Session {
  #memory: Memory;
  #user: User;
  #settings: Settings;
  #model: Model | undefined;
  #failure: ReadingFailure | undefined;
  #spent = NOTHING_SPENT;
  #toolbox: { readonly window: number; readonly box: Promise<Toolbox> } | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #learners = new Set<(learned: Learned) => void>();
  readonly #committers = new Set<(commitId: string) => void>();
  readonly #forgetters = new Set<() => void>();
  #temporary: Temporary | undefined;
  #opening: Opening;
  #wiped: WipedEvent | undefined;
  #isLockedOut = false;

  private constructor(memory: Memory, settings: Settings, model: Model | undefined, opening: Opening) {
    this.#opening = opening;
    this.#settings = settings;
    this.#model = model;
    this.#memory = memory;
    this.#user = this.#listen(memory);
    forbidUnfinished(opening.encryption !== undefined);
    if (opening.encryption) keepOnDevice(LOCKED, "yes");
  }

  /** Opens what this browser keeps, unless another storage is given. Rejects with a `LockedError` without the key. */
  static async open(opening: Opening = {}): Promise<Session> {
    const settings = loadSettings();
    const model = connectModel(settings.model);
    return new Session(await open(model, settings.review, opening), settings, model, opening);
  }

  get memory(): Memory { return this.#memory; }
  get user(): User { return this.#user; }
  get settings(): Settings { return this.#settings; }
  get model(): Model | undefined { return this.#model; }
  get readingFailure(): ReadingFailure | undefined { return this.#failure; }

  /** Whether the memory is there after a reload. */
  get isKept(): boolean { return this.#opening.storage === undefined; }

  /** What the browser had lost when the memory was opened, or since; undefined when nothing, or when it was dealt with. */
  get wiped(): WipedEvent | undefined { return this.#wiped; }

  /** Whether another tab has locked or unlocked the memory, so that nothing can be read or written here any more. */
  get isLockedOut(): boolean { return this.#isLockedOut; }

  /** Whether the memory was locked before it was lost, and is not now. */
  get hasLostLock(): boolean { return this.#wiped !== undefined && this.#opening.encryption === undefined && readDevice(LOCKED) !== null; }

  /** What was lost is back, or is not missed. */
  dismissWiped(): void {
    if (this.hasLostLock) dropFromDevice(LOCKED); // it was told
    this.#wiped = undefined;
    this.#changed();
  }

  /** Another memory stands in the place of this one, by a restore: nothing that the page shows is sure. */
  restored(): void {
    if (this.hasLostLock) dropFromDevice(LOCKED); // it was told
    this.#wiped = undefined;
    for (const listener of this.#forgetters) listener();
    this.#changed();
  }

  /** A chat by its id. There is one temporary chat, which begins when it is asked for. */
  chat(threadId: string): Chat {
    return threadId === TEMPORARY ? new TemporaryChat(this.temporary) : new KeptChat(this.#user, threadId);
  }

  get temporary(): Temporary { return (this.#temporary ??= this.#user.temporary()); }
  get hasTemporary(): boolean { return (this.#temporary?.messages().length ?? 0) > 0; }

  /** The temporary chat is over: it was saved, or is dropped. */
  endTemporary(): void {
    this.#temporary?.drop();
    this.#temporary = undefined;
    this.#changed();
  }

  /** Locks the memory with a key, or changes the key. */
  async lock(encryption: EncryptionKey): Promise<void> {
    await this.#memory.encryption.change(encryption);
    this.#opening = { ...this.#opening, encryption };
    forbidUnfinished(true);
    keepOnDevice(LOCKED, "yes");
    this.#changed();
  }

  async removeLock(): Promise<void> {
    await this.#memory.encryption.remove();
    this.#opening = { ...this.#opening, encryption: undefined };
    forbidUnfinished(false);
    dropFromDevice(LOCKED);
    this.#changed();
  }

  /** Calls back after every change of the memory, in this tab or another, and of the model. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Calls back whenever something was learned in the background. */
  onLearned(listener: (learned: Learned) => void): void {
    this.#learners.add(listener);
  }

  /** Calls back with every commit of this tab that changed what is remembered, by hand or by learning; the answer stops it. */
  onCommit(listener: (commitId: string) => void): () => void {
    this.#committers.add(listener);
    return () => void this.#committers.delete(listener);
  }

  /** Calls back when something was forgotten, here or in another tab: what the page still shows of it must go. */
  onForgotten(listener: () => void): void {
    this.#forgetters.add(listener);
  }

  /** Reopens the memory with another model. Resolves to whether the settings will survive a reload. */
  async connect(settings: Settings): Promise<boolean> {
    const model = connectModel(settings.model);
    const former = this.#memory;
    // Opened before the other is closed: if that fails, all stays as it was.
    this.#memory = await open(model, settings.review, this.#opening);
    this.#user = this.#listen(this.#memory);
    await this.#carryTemporary();
    this.#spent = NOTHING_SPENT;
    this.#toolbox = undefined;
    await former.close();
    this.#settings = settings;
    this.#model = model;
    this.#failure = undefined;
    this.#changed();
    return saveSettings(settings);
  }

  /** Takes the model's window for so large. Resolves to whether that will survive a reload. */
  resize(window: number): boolean {
    this.#settings = { ...this.#settings, window };
    this.#changed();
    return saveSettings(this.#settings);
  }

  /** What the model may call; nothing without a model that takes tools. */
  toolbox(): Promise<Toolbox> {
    const { tools, window } = this.#settings;
    if (!tools || !this.#model?.takesTools) return Promise.resolve(NO_TOOLS);
    if (this.#toolbox?.window !== window) this.#toolbox = { window, box: toolboxFor(this.#user, window) };
    return this.#toolbox.box;
  }

  /** Hands what was said and answered to the tiers, which sort it by topic in the background. */
  async sort(query: string, response: string, metadata: { readonly threadId: string; readonly messageId: string; readonly by: string }): Promise<void> {
    // What the memory says by itself is always the same: by its words everything would be one topic.
    const answered = metadata.by === MEMORY_ALONE ? NO_ANSWER : response;
    await this.#user.tiers.add({ query: query.slice(0, EXCHANGE_CHARACTERS), response: answered.slice(0, EXCHANGE_CHARACTERS), metadata });
  }

  /** Brings the summary of a chat up to date when messages left sight that are not in it. */
  async keepSummary(threadId: string, inSight: number): Promise<void> {
    const waiting = await this.unsummarised(threadId);
    if (waiting - inSight >= WORTH_A_SUMMARY && waiting <= MOST_TO_SUMMARISE) await this.#user.threads.summarise(threadId);
  }

  /** How many messages of a chat are not in its summary. */
  async unsummarised(threadId: string): Promise<number> {
    const [threads, summary] = await Promise.all([this.#user.threads.list(), this.#user.threads.summary(threadId)]);
    return (threads.find((thread) => thread.threadId === threadId)?.messages ?? 0) - (summary?.messages ?? 0);
  }

  async recollect(factLimit: number): Promise<Recollection> {
    const [profiles, facts] = await Promise.all([
      this.#user.profiles.get(),
      inPages(factLimit, (limit, offset) => this.#user.facts.list({ limit, offset })),
    ]);
    const known = profiles[PROFILE_ID].fields;
    const fields = FIELD_NAMES.flatMap((name): Field[] => {
      const field = known[name];
      return field ? [{ ...field, name }] : [];
    });
    return { fields, facts };
  }

  #listen(memory: Memory): User {
    memory.on("wiped", (event) => {
      this.#wiped = event;
      this.#changed();
    });
    memory.on("change", ({ commitId, cause, changes, remote }) => {
      if (cause === "forget") {
        forgetUnfinished();
        for (const listener of this.#forgetters) listener();
      }
      const isKept = (cause === "user" || cause === "extract" || cause === "tool") && changes.some(({ kind }) => !SORTING.has(kind));
      if (isKept && !remote) for (const listener of this.#committers) listener(commitId);
      this.#changed();
    });
    memory.on("extraction", (event) => {
      if (event.state === "done") {
        this.#failure = undefined;
        void this.#learned(memory, event.actions ?? []);
      }
      if (event.state === "failed") this.#failure = { message: event.error?.message ?? "The reason is not known.", retryAt: event.retryAt };
      this.#changed();
    });
    memory.on("error", (event) => {
      if (event.code === "Locked") this.#isLockedOut = true;
      else this.#failure = { message: event.message, retryAt: undefined };
      this.#changed();
    });
    return memory.scope({ userId: "me" });
  }

  /** What was said in the temporary chat goes on in the memory as it is open now. */
  async #carryTemporary(): Promise<void> {
    const former = this.#temporary;
    if (!former) return;
    this.#temporary = this.#user.temporary();
    const messages = former.messages().map(({ role, content, createdAt, metadata }) => ({ role, content, createdAt, metadata }));
    if (messages.length > 0) await this.#temporary.remember(messages);
  }

  async #learned(memory: Memory, actions: readonly Action[]): Promise<void> {
    const { byPurpose } = await memory.usage();
    if (memory !== this.#memory) return;
    const spent = byPurpose["extract"] ?? NOTHING_SPENT;
    const usage = spentBetween(this.#spent, spent);
    this.#spent = spent;
    for (const listener of this.#learners) listener({ actions, usage });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function open(model: Model | undefined, review: boolean, { storage, encryption }: Opening): Promise<Memory> {
  return openMemory({
    name: MEMORY_NAME,
    storage,
    // What one browser's database loses comes back by itself.
    copy: "opfs",
    encryption,
    profiles: { [PROFILE_ID]: PROFILE_SCHEMA },
    llm: model?.llm,
    // For who looks inside: what a model was sent, until the tab is closed or something is forgotten.
    keepPrompts: true,
    // Whoever tries the demo wants to see what is learned of one turn.
    extraction: { trigger: { messages: 2, idleMs: 1500 }, review },
  });
}
