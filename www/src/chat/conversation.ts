/** One chat: what was said in it, what is on its way, and the steps from a message to its reply. */
import { messageText } from "../message-text";
import { type Announcer, reason } from "../page/shared";
import { answer, type Reply } from "../replies/reply";
import { keptCalls, type MadeCall, readCalls } from "../replies/tool-calls";
import type { Session } from "../session";
import { MEMORY_ALONE } from "../signature";
import type { ModelWindow } from "../window/model-window";
import { readWindow } from "../window/parts";
import { callInWords } from "./calls";
import { type ChatMessage, TEMPORARY } from "./chat";
import type { Kept } from "./kept";
import type { ShownMessage } from "./message";
import { readRecalled } from "./recalled";
import type { Transcript, Trouble } from "./transcript";
import { isBusy, type Turn } from "./turn";
import { keepUnfinished, unfinishedCalls } from "./unfinished";

const PAGE = 100;
/** How many of the last replies are looked at, for what was explained before. */
const REPLIES_SEEN = 12;

export class Conversation {
  #threadId = "";
  #messages: readonly ChatMessage[] = [];
  #limit = PAGE;
  #turn: Turn | undefined;
  #stop = new AbortController();
  #kept = new Map<string, Kept>();
  readonly #session: Session;
  readonly #transcript: Transcript;
  readonly #announcer: Announcer;
  readonly #window: ModelWindow;
  readonly #turned: (busy: boolean) => void;

  /** `turned` hears whenever a turn begins or ends. */
  constructor(session: Session, transcript: Transcript, announcer: Announcer, window: ModelWindow, turned: (busy: boolean) => void) {
    this.#session = session;
    this.#transcript = transcript;
    this.#announcer = announcer;
    this.#window = window;
    this.#turned = turned;
  }

  get threadId(): string { return this.#threadId; }
  get isBusy(): boolean { return isBusy(this.#turn); }
  get isEmpty(): boolean { return this.#messages.length === 0 && !this.#turn; }

  async open(threadId: string): Promise<void> {
    this.stop();
    this.#threadId = threadId;
    this.#limit = PAGE;
    this.#turn = undefined;
    try {
      await this.refresh();
    } catch (error) {
      this.#messages = []; // never one chat's messages under another's name
      throw error;
    } finally {
      this.#setTurn(this.#turn);
      this.#transcript.scrollToEnd();
    }
  }

  /** Reads the chat again from the memory. */
  async refresh(): Promise<void> {
    const threadId = this.#threadId;
    const latest = await this.#session.chat(threadId).latest(this.#limit);
    if (threadId !== this.#threadId) return;
    this.#messages = latest;
    this.#render();
  }

  showKept(kept: Map<string, Kept>): void {
    this.#kept = kept;
    this.#render();
  }

  async loadEarlier(): Promise<void> {
    this.#limit += PAGE;
    await this.refresh();
  }

  /** Shows a message of this chat, however far back it is. */
  async pointAt(messageId: string): Promise<boolean> {
    while (!this.#transcript.pointAt(messageId)) {
      if (!this.#hasEarlier()) return false;
      await this.loadEarlier();
    }
    return true;
  }

  async send(text: string): Promise<void> {
    if (isBusy(this.#turn)) return;
    const threadId = this.#threadId;
    this.#setTurn({ state: "saving", text });
    this.#transcript.scrollToEnd();
    try {
      await this.#session.chat(threadId).remember({ role: "user", content: text });
    } catch (error) {
      if (threadId === this.#threadId) this.#setTurn({ state: "unsaved", text, error: reason(error) });
      return;
    }
    if (threadId !== this.#threadId) return;
    await this.refresh();
    await this.#answer();
  }

  /** Gives up the reply that is being written. */
  stop(): void {
    this.#stop.abort();
  }

  /** Answers the last message of the chat, which is the user's. */
  async #answer(): Promise<void> {
    const asked = this.#messages.at(-1);
    if (asked?.role !== "user") return this.#setTurn(undefined);
    const threadId = this.#threadId;
    const here = (): boolean => threadId === this.#threadId;
    const chat = this.#session.chat(threadId);
    const stop = new AbortController();
    this.#stop = stop;
    let text = "";
    let calls: readonly MadeCall[] = unfinishedCalls(asked.id);
    const show = (): void => {
      if (here()) this.#setTurn({ state: "answering", text, calls });
    };
    show();
    const by = this.#session.model?.label ?? MEMORY_ALONE;
    const query = messageText(asked);
    let reply: Reply;
    try {
      reply = await answer(this.#session, { messageId: asked.id, threadId, text: query, earlier: repliesAmong(this.#messages), calls }, {
        signal: stop.signal,
        onText: (written) => {
          text = written;
          show();
        },
        onCalls: (made) => {
          calls = made;
          if (!chat.isTemporary) keepUnfinished(asked.id, made);
          show();
          if (here()) this.#announcer.say(callInWords(made));
        },
        onSent: (report) => here() && this.#window.sends(report),
      });
      const metadata = { by, recalled: reply.recalled, ...(calls.length > 0 && { calls: keptCalls(calls) }), ...(reply.window && { window: reply.window }) };
      await chat.remember({ role: "assistant", content: reply.text, metadata });
    } catch (error) {
      if (here()) this.#setTurn({ state: "unanswered", error: stop.signal.aborted ? "You stopped the reply." : reason(error) });
      return;
    }
    if (!chat.isTemporary) {
      if (calls.length > 0) keepUnfinished(asked.id, []);
      void this.#session.sort(query, reply.text, { threadId, messageId: asked.id, by });
      if (reply.window) void this.#session.keepSummary(threadId, reply.window.inSight);
    }
    if (!here()) return;
    // Whoever can see the stored reply can go on; a change of the memory may show it before this refresh does.
    this.#turn = undefined;
    this.#turned(false);
    try {
      await this.refresh();
    } finally {
      if (this.#turn === undefined) this.#setTurn(undefined);
      this.#announcer.say(reply.text);
    }
  }

  #setTurn(turn: Turn | undefined): void {
    this.#turn = turn;
    if (!isBusy(turn)) this.#window.sends(undefined);
    this.#turned(isBusy(turn));
    if (turn && "error" in turn) this.#announcer.say(turn.error);
    this.#render();
  }

  #render(): void {
    const shown: ShownMessage[] = this.#messages.flatMap((message) => this.#shown(message));
    const turn = this.#turn;
    if (turn?.state === "saving" || turn?.state === "unsaved") shown.push({ key: "draft", role: "user", text: turn.text });
    if (turn?.state === "answering") {
      const by = this.#session.model?.label ?? MEMORY_ALONE;
      shown.push({ key: "reply", role: "assistant", text: turn.text, by, calls: turn.calls, writing: true });
    }
    // What a reply that broke off had called.
    const last = isBusy(turn) ? undefined : this.#messages.at(-1);
    const calls = last?.role === "user" ? unfinishedCalls(last.id) : [];
    if (calls.length > 0) shown.push({ key: "reply", role: "assistant", text: "", calls });
    this.#transcript.show(shown, this.#trouble(), this.#hasEarlier());
  }

  #shown({ id, role, content, createdAt, metadata, withheld }: ChatMessage): ShownMessage[] {
    if (role !== "user" && role !== "assistant") return [];
    const by = (metadata as { by?: unknown } | undefined)?.by;
    return [{
      key: id, role, text: messageText({ content }), at: createdAt, kept: this.#kept.get(id), withheld,
      id: this.#threadId === TEMPORARY ? undefined : id,
      by: typeof by === "string" ? by : undefined, recalled: readRecalled(metadata),
      calls: readCalls((metadata as { calls?: unknown } | undefined)?.calls), window: readWindow(metadata),
    }];
  }

  #trouble(): Trouble | undefined {
    const turn = this.#turn;
    if (turn?.state === "unsaved") return { text: `This message is not saved. ${turn.error}`, action: "Try again", run: () => void this.send(turn.text) };
    if (turn?.state === "unanswered") return { text: turn.error, action: "Try again", run: () => void this.#answer() };
    // A reload in the middle of a reply leaves the message without one.
    const isUnanswered = !turn && this.#messages.at(-1)?.role === "user";
    return isUnanswered ? { text: "This message has no reply yet.", action: "Get a reply", run: () => void this.#answer() } : undefined;
  }

  #hasEarlier(): boolean {
    return this.#messages.length >= this.#limit;
  }
}

function repliesAmong(messages: readonly ChatMessage[]): string[] {
  return messages.filter(({ role }) => role === "assistant").slice(-REPLIES_SEEN).map(messageText);
}
