/**
 * LangGraph and LangChain on a memory: a checkpointer, a store for what is to outlast a thread, a retriever and embeddings. Their packages
 * are imported and not included: `@langchain/langgraph-checkpoint` and `@langchain/core`, which come with `@langchain/langgraph`.
 *
 * @packageDocumentation
 */
export { langChainEmbeddings } from "./embeddings.js";
export { MnemicRetriever } from "./retriever.js";
export { MnemicSaver } from "./saver.js";
export { MnemicStore, type MnemicStoreOptions } from "./store.js";
export type { DocumentUser } from "./user.js";
