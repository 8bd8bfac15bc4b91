/** The blocks of one scope: the working memory of a model. */
import type { Caller } from "./caller.js";
import { record } from "./plain.js";
import type { Action, CallOptions } from "./types.js";

/** A named part of the model's working memory. */
export interface Block {
  /** For its history; absent until the block is first changed. */
  id?: string;
  label: string;
  value: string;
  /** What it is for; the model sees this. */
  description: string;
  /** How many characters the value may have. */
  limit: number;
  /** Whether the model may only read it. */
  readOnly: boolean;
  /** Absent until the block is first changed. */
  updatedAt?: number;
  /** 0 until the block is first changed. */
  revision: number;
}

/** A block to set; what is left out stays, or is the default in a new block. */
export interface NewBlock {
  /** 1 to 64 bytes of letters, digits and `_ - . /`. */
  readonly label: string;
  /** Default: empty. */
  readonly value?: string | undefined;
  /** Default: empty. */
  readonly description?: string | undefined;
  /** How many characters the value may have, 1 to 100 000. Default: 2000. */
  readonly limit?: number | undefined;
  /** Whether the model may only read it. Default: false. */
  readonly readOnly?: boolean | undefined;
}

/** The blocks of a scope, 64 at most. */
export class Blocks {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * All blocks: those of the options in their order, then the others in the order of creation. Empty when all of them were deleted.
   *
   * @example
   * ```ts
   * for (const { label, value, limit } of await user.context.blocks.list()) console.log(label, `${value.length}/${limit}`);
   * ```
   */
  list(options?: CallOptions): Promise<Block[]> {
    return this.#call("context.blocks.list", {}, options);
  }

  /**
   * A block by its label; null when there is none.
   *
   * @example
   * ```ts
   * console.log((await user.context.blocks.get("human"))?.value);
   * ```
   */
  get(label: string, options?: CallOptions): Promise<Block | null> {
    return this.#call("context.blocks.get", { label }, options);
  }

  /**
   * Creates or changes a block, also a read-only one; earlier revisions stay in its history.
   *
   * @throws InvalidInputError when the value exceeds the limit; the message has both numbers, and nothing changed.
   *
   * @example
   * ```ts
   * await user.context.blocks.set({ label: "human", value: "Name: Ada" });
   * await user.context.blocks.set({ label: "rules", value: "Answer briefly.", readOnly: true });
   * ```
   */
  async set(block: NewBlock, options?: CallOptions): Promise<Action> {
    return this.#call("context.blocks.set", record(block, "block"), options);
  }

  /**
   * Deletes a block; its revisions stay in the history. A deleted block of the options does not come back.
   *
   * @throws NotFoundError when there is no such block.
   *
   * @example
   * ```ts
   * await user.context.blocks.set({ label: "plans", value: "Lisbon in May" });
   * await user.context.blocks.delete("plans");
   * ```
   */
  delete(label: string, options?: CallOptions): Promise<Action> {
    return this.#call("context.blocks.delete", { label }, options);
  }
}
