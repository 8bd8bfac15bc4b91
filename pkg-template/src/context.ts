/** The virtual context of one scope: a conversation of any length with a model that has a small window. */
import { Archive } from "./archive.js";
import { Blocks, type NewBlock } from "./blocks.js";
import type { AssembleOptions, Prompts } from "./assembly.js";
import type { Caller } from "./caller.js";
import { listed, record, toldModel } from "./plain.js";
import type { CallOptions, GivenMessage, ModelUsage } from "./types.js";

/** How the window of a model is used. */
export interface ContextOptions {
  /**
   * The tokens of the model's window, answer included, 4000 to 10 000 000. Long `instructions`, or a `countTokens` with higher counts,
   * need a larger one; the error of `step` then says how large. Default: 8000.
   */
  readonly window?: number | undefined;
  /** How many of them are reserved for the answer, 100 to half of the window. Default: 1000. */
  readonly reserve?: number | undefined;
  /** The share of the room, between 0 and 1, at which a warning asks the model to save what matters. Default: 0.7. */
  readonly warning?: number | undefined;
  /** What the model should be and do, up to 64 KiB. Default: nothing. */
  readonly instructions?: string | undefined;
  /** The initial blocks of a scope. Default: `persona` and `human`, both empty. */
  readonly blocks?: readonly NewBlock[] | undefined;
  /** How many calls one step may make, 1 to 1000. Default: 10. */
  readonly maxCalls?: number | undefined;
  /** How many tokens one step may send and receive in total, summaries included. Default: no limit. */
  readonly maxTokens?: number | undefined;
}

/** Options of `context.call` and `context.status`. */
export interface FunctionOptions extends CallOptions {
  /** The conversation, such as the one in which `send_message` speaks. Default: `"default"`. */
  readonly threadId?: string | undefined;
}

/** The result of a call. */
export interface Called {
  /** Whether it was carried out; if not, nothing changed. */
  ok: boolean;
  /** The result for the model, at most 2000 tokens. */
  result: string;
}

/** Options of `context.load`. */
export interface LoadOptions extends CallOptions {
  /** Its name, up to 128 bytes; another text under the same name replaces it. */
  readonly name: string;
  /** Tags for its passages, at most 16. Default: none. */
  readonly tags?: readonly string[] | undefined;
  /** About how many tokens a passage has, 20 to 4000. Default: 300. */
  readonly passageTokens?: number | undefined;
}

/** The result of `context.load`. */
export interface Loaded {
  /** How many passages the document has. */
  passages: number;
  /** Their ids, in its order. */
  ids: string[];
}

/** Options of `context.step`. */
export interface StepOptions extends CallOptions {
  /** The conversation. Default: `"default"`. */
  readonly threadId?: string | undefined;
  /** How many functions the model may call, and how often it may be asked. Default: the option `context.maxCalls`. */
  readonly maxCalls?: number | undefined;
  /** How many tokens it may send and receive in total. Default: the option `context.maxTokens`. */
  readonly maxTokens?: number | undefined;
  /** Whether to learn from what is said. Default: true. */
  readonly learn?: boolean | undefined;
}

/** The result of a step. */
export interface Stepped {
  /** What the model said to the person, in order; empty when it said nothing. */
  sent: string[];
  /** The calls it made, in order. */
  calls: Array<Called & { name: string; arguments: unknown }>;
  /**
   * How it ended: with `send_message` (`"sent"`) or plain words (`"reply"`), after as many calls (`"calls"`) or tokens
   * (`"tokens"`) as it may have, because it made the same call over and over (`"loop"`), or aborted.
   */
  stopped: "sent" | "reply" | "calls" | "tokens" | "loop" | "aborted";
  /** The model requests it took. */
  usage: ModelUsage;
}

/** How full the window of a conversation is, in tokens. */
export interface ContextStatus {
  window: number;
  /** Kept free for the answer. */
  reserve: number;
  /** Instructions and functions. */
  system: number;
  blocks: number;
  /** The summary of messages that left the window. */
  summary: number;
  /** The messages in the window. */
  recent: number;
  /** What is left. */
  free: number;
  /** Whether the model was warned that its window is nearly full since messages last left it. */
  warned: boolean;
  /** How many messages are in the window. */
  messages: number;
}

let steps = 0;

/** The virtual context of a scope. What leaves the window stays in the memory, and the model can fetch it back with functions. */
export class Context {
  /** The working memory of the model. */
  readonly blocks: Blocks;
  /** Its long-term store of passages. */
  readonly archive: Archive;
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
    this.blocks = new Blocks(call);
    this.archive = new Archive(call);
  }

  /**
   * Builds a whole prompt from everything that is remembered: instructions, blocks, profile, facts, episodes, the graph, summaries, the
   * last messages of the thread, the question. It never exceeds `maxTokens`, every line is explained, and its beginning stays the same
   * byte for byte until something in it changes, so that a prompt cache can keep it. Without a `query`, the user's last message is the
   * question; if it is too long it is shortened, and a warning says so.
   *
   * @throws BudgetExceededError when the instructions and the question alone exceed `maxTokens`; without a question, when none of the
   * last messages fits.
   *
   * @example
   * ```ts
   * const { messages, tokens } = await user.context.assemble({
   *   threadId: "today",
   *   query: "What should I cook?",
   *   maxTokens: 4000,
   *   as: "openai",
   * });
   * console.log(messages.length, tokens <= 4000);
   * ```
   */
  assemble<Shape extends keyof Prompts = "text">(
    options: AssembleOptions & { readonly as?: Shape | undefined },
  ): Promise<Prompts[Shape]> {
    return this.#call("assemble", {}, options);
  }

  /**
   * Calls one of the model's functions, such as `core_memory_append`. A wrong call changes nothing, and its result tells the model what
   * is wrong. A pinned block is not changed.
   *
   * @example
   * ```ts
   * const { ok, result } = await user.context.call("core_memory_append", { label: "human", content: "Likes tea." });
   * console.log(ok, result);
   * ```
   */
  async call(name: string, args: object | string, options?: FunctionOptions): Promise<Called> {
    try {
      return await this.#call("context.call", { name, arguments: args }, options);
    } catch (error) {
      return { ok: false, result: toldModel(error) };
    }
  }

  /**
   * Loads a text that may be far larger than the window into the archive, in passages. Load again to complete a load that failed half-way;
   * unchanged passages are not written again. Passages end at a paragraph, or else at a line, a sentence or a word. One call takes up to
   * 24 MiB.
   *
   * @example
   * ```ts
   * const manual = "Press the red button to stop.\n".repeat(500);
   * const { passages } = await user.context.load(manual, { name: "manual.txt", tags: ["manual"] });
   * console.log(passages);
   * ```
   */
  async load(text: string, options: LoadOptions): Promise<Loaded> {
    return this.#call("context.load", { text }, record(options, "options"));
  }

  /**
   * Says something to the model and lets it call functions until it has answered. Both sides are stored in the thread, each part before
   * the model is asked again. An abort ends the step where it is, with `stopped: "aborted"`.
   *
   * @throws ModelError when the memory has no `llm`, or it fails; `details.sent` has what the model said so far.
   * @throws InvalidInputError when a message is malformed, or the window has no room for any.
   *
   * @example
   * ```ts
   * import { openMemory } from "mnemic";
   *
   * const llm = () => ({ toolCalls: [{ name: "send_message", arguments: { message: "Hello!" } }] }); // your model here
   * const memory = await openMemory({ name: "chat", storage: "memory", llm, context: { window: 8000 } });
   * const { sent, stopped } = await memory.scope({ userId: "alice" }).context.step("Hi!", { threadId: "today" });
   * console.log(stopped, sent); // sent [ 'Hello!' ]
   * await memory.close();
   * ```
   */
  async step(input: string | GivenMessage | readonly GivenMessage[], options?: StepOptions): Promise<Stepped> {
    const { signal, ...rest } = record(options, "options") as StepOptions;
    const messages = listed(typeof input === "string" ? { role: "user", content: input } : input);
    // Without a signal to abort by, a step has no name.
    if (typeof signal?.addEventListener !== "function" || signal.aborted) return this.#call("context.step", { messages }, options);
    const name = `step-${++steps}`;
    const abort = (): void => void this.#call("context.abort", { name }).catch(() => {});
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await this.#call("context.step", { messages, abort: name }, rest);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /**
   * How full the window of a conversation is.
   *
   * @example
   * ```ts
   * const { free, messages } = await user.context.status({ threadId: "today" });
   * console.log(free, messages);
   * ```
   */
  status(options?: FunctionOptions): Promise<ContextStatus> {
    return this.#call("context.status", {}, options);
  }
}
