/** What is recalled, as LangChain's chains take it. */
import type { DocumentInterface } from "@langchain/core/documents";
import { BaseRetriever } from "@langchain/core/retrievers";
import type { Scope } from "../scope.js";
import type { RecallItem, RecallOptions } from "../types.js";
import { checkedUser } from "../user.js";

/** What a line of a recall begins with. */
const BULLET = /^- /;

/**
 * A retriever of LangChain over `recall`: each line of the recall is a document, whose metadata are the other properties of its
 * `RecallItem`.
 *
 * @example
 * ```ts
 * import { MnemicRetriever } from "mnemic/langgraph";
 *
 * await user.facts.add("Alice plays the cello");
 * const documents = await new MnemicRetriever(user, { limit: 3 }).invoke("Which instrument does she play?");
 * console.log(documents[0]?.pageContent, documents[0]?.metadata.kind);
 * ```
 */
export class MnemicRetriever extends BaseRetriever<Omit<RecallItem, "id" | "text">> {
  lc_namespace = ["mnemic", "langgraph"];
  readonly #user: Pick<Scope, "recall">;
  readonly #options: RecallOptions;

  /**
   * @param user what `memory.scope()` gives, or a client of a user's memory on Cloudflare
   * @param options those of `recall`
   * @throws InvalidInputError when `user` is neither.
   */
  constructor(user: Pick<Scope, "recall">, options: RecallOptions = {}) {
    super();
    this.#user = checkedUser(user, user?.recall);
    this.#options = options;
  }

  /** Used by `invoke`. */
  override async _getRelevantDocuments(query: string): Promise<Array<DocumentInterface<Omit<RecallItem, "id" | "text">>>> {
    const { items } = await this.#user.recall(query, this.#options);
    return items.map(({ id, text, ...metadata }) => ({ id, pageContent: text.replace(BULLET, ""), metadata }));
  }
}
