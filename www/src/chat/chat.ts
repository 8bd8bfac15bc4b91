/** A chat as replies and the transcript need it: one that is kept in the memory, or a temporary one that is kept nowhere. */
import type { AssembleOptions, Message, Prompts, StoredMessage } from "mnemic";
import type { Temporary, User } from "../types";

/** The id of the temporary chat; there is one at a time. */
export const TEMPORARY = "temporary";

export type ChatMessage = Omit<StoredMessage, "threadId">;

export interface Chat {
  /** What its replies read and its tools change; a temporary chat only reads. */
  readonly user: User;
  readonly isTemporary: boolean;
  remember(message: Message): Promise<void>;
  /** The newest messages, oldest of them first. */
  latest(count: number): Promise<ChatMessage[]>;
  /** How many messages it has. */
  count(): Promise<number>;
  assemble(options: Omit<AssembleOptions, "threadId" | "messages" | "as">): Promise<Prompts["openai"]>;
}

/** The most that one call hands out. */
const PAGE = 1000;

export class KeptChat implements Chat {
  readonly user: User;
  readonly isTemporary = false;
  readonly #threadId: string;

  constructor(user: User, threadId: string) {
    this.user = user;
    this.#threadId = threadId;
  }

  async remember(message: Message): Promise<void> {
    await this.user.remember(message, { threadId: this.#threadId });
  }

  async latest(count: number): Promise<ChatMessage[]> {
    const latest = await inPages(count, (limit, offset) => this.user.threads.messages(this.#threadId, { limit, offset, order: "desc" }));
    return latest.reverse();
  }

  async count(): Promise<number> {
    const threads = await this.user.threads.list();
    return threads.find(({ threadId }) => threadId === this.#threadId)?.messages ?? 0;
  }

  assemble(options: Omit<AssembleOptions, "threadId" | "messages" | "as">): Promise<Prompts["openai"]> {
    return this.user.context.assemble({ ...options, threadId: this.#threadId, as: "openai" });
  }
}

export class TemporaryChat implements Chat {
  readonly user: User;
  readonly isTemporary = true;
  readonly #chat: Temporary;

  constructor(chat: Temporary) {
    this.#chat = chat;
    this.user = chat.memory;
  }

  async remember(message: Message): Promise<void> {
    await this.#chat.remember(message);
  }

  async latest(count: number): Promise<ChatMessage[]> {
    return this.#chat.messages().slice(-count);
  }

  async count(): Promise<number> {
    return this.#chat.messages().length;
  }

  assemble(options: Omit<AssembleOptions, "threadId" | "messages" | "as">): Promise<Prompts["openai"]> {
    return this.#chat.assemble({ ...options, as: "openai" });
  }
}

/** The first `count` items of a list that is handed out in pages. */
export async function inPages<Item>(count: number, load: (limit: number, offset: number) => Promise<Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  while (items.length < count) {
    const limit = Math.min(PAGE, count - items.length);
    const page = await load(limit, items.length);
    items.push(...page);
    if (page.length < limit) break;
  }
  return items;
}
