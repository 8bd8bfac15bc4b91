/** The instructions of one scope: how the assistant should answer. */
import type { Caller } from "./caller.js";
import { record } from "./plain.js";
import type { Action, CallOptions, GivenMessage, Origin, Revision, Source } from "./types.js";

/** A stored instruction. */
export interface Instruction {
  id: string;
  name: string;
  text: string;
  /** Whether recall includes it although others were set before it. */
  pinned: boolean;
  createdAt: number;
  updatedAt: number;
  revision: number;
  origin: Origin;
  /** Why the model wrote it this way; absent when it did not write it. */
  why?: string;
  /** Which messages led to it. */
  source: Source[];
}

/** Which instruction. */
export interface InstructionOptions extends CallOptions {
  /** Its name, up to 64 bytes. Default: `"assistant"`. */
  readonly name?: string | undefined;
}

/** Options of `instructions.revise`. */
export interface ReviseOptions extends InstructionOptions {
  /** What should change, in words; up to 8 KiB. */
  readonly feedback: string;
  /** The conversation that the feedback is about: the model is shown its last 30 messages. Default: none. */
  readonly threadId?: string | undefined;
  /** Or its messages, which are not stored. Default: none. */
  readonly messages?: readonly GivenMessage[] | undefined;
}

/** The instructions of a scope, each under a name, with their revisions. */
export class Instructions {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * The instruction with a name; null when there is none.
   *
   * @example
   * ```ts
   * console.log(await user.instructions.get("mail")); // null
   * ```
   */
  get(name = "assistant", options?: CallOptions): Promise<Instruction | null> {
    return this.#call("instructions.get", { name }, options);
  }

  /**
   * Sets an instruction, up to 8 KiB. Recall begins with the pinned ones, or else with the first.
   *
   * @example
   * ```ts
   * await user.instructions.set("Answer in one paragraph.");
   * await user.instructions.set("Sign with A.", { name: "mail" });
   * ```
   */
  set(text: string, options?: InstructionOptions): Promise<Action> {
    return this.#call("instructions.set", { text }, options);
  }

  /**
   * All instructions, in the order in which they were first set; empty when there are none.
   *
   * @example
   * ```ts
   * for (const { name, text } of await user.instructions.list()) console.log(name, text);
   * ```
   */
  list(options?: CallOptions): Promise<Instruction[]> {
    return this.#call("instructions.list", {}, options);
  }

  /**
   * Lets the model rewrite an instruction from feedback and, optionally, a conversation. An unusable answer changes nothing.
   *
   * @throws ModelError when the memory has no `llm`, or its answer is unusable.
   *
   * @example
   * ```ts
   * await user.instructions.set("Answer in one paragraph.");
   * try {
   *   await user.instructions.revise({ feedback: "Shorter, and in metric units.", threadId: "default" });
   * } catch (error) {
   *   console.log(error); // without a model
   * }
   * ```
   */
  async revise(options: ReviseOptions): Promise<Action> {
    return this.#call("instructions.revise", {}, record(options, "options"));
  }

  /**
   * All revisions of an instruction, oldest first.
   *
   * @throws NotFoundError when it was never set.
   *
   * @example
   * ```ts
   * await user.instructions.set("Answer in one paragraph.");
   * console.log((await user.instructions.history()).map(({ text }) => text));
   * ```
   */
  history(name = "assistant", options?: CallOptions): Promise<Revision[]> {
    return this.#call("instructions.history", { name }, options);
  }

  /**
   * Gives an instruction the text of an earlier revision, as a new revision.
   *
   * @throws NotFoundError when there is no such revision.
   *
   * @example
   * ```ts
   * await user.instructions.set("Answer in one paragraph.");
   * await user.instructions.set("Answer at length.");
   * await user.instructions.rollback("assistant", 1);
   * ```
   */
  rollback(name: string, revision: number, options?: CallOptions): Promise<Action> {
    return this.#call("instructions.rollback", { name, revision }, options);
  }

  /**
   * Deletes an instruction; its revisions stay in the history.
   *
   * @throws NotFoundError when there is none.
   *
   * @example
   * ```ts
   * await user.instructions.set("Sign with A.", { name: "mail" });
   * await user.instructions.delete("mail");
   * ```
   */
  delete(name = "assistant", options?: CallOptions): Promise<Action> {
    return this.#call("instructions.delete", { name }, options);
  }
}
