/** The words that models expect before a text, by what the text is for. */
import type { TextPurpose } from "../models.js";

/** What is put before texts. */
export type TextPrefixes = Readonly<Record<TextPurpose, string>>;

/** What a family of models was trained with. */
interface Family {
  /** Matches the names of its models at any place that sells or serves them. */
  readonly names: RegExp;
  readonly prefixes: TextPrefixes;
}

const PASSAGES = "Represent this sentence for searching relevant passages: ";

const NONE: TextPrefixes = { query: "", document: "" };

/** From the cards of the models; the first family that matches counts. */
const FAMILIES: readonly Family[] = [
  // huggingface.co/intfloat/e5-mistral-7b-instruct: an instruction that each app words for its task, so none is put here.
  { names: /\be5-.*instruct/, prefixes: NONE },
  // huggingface.co/intfloat/multilingual-e5-small
  { names: /\be5-/, prefixes: { query: "query: ", document: "passage: " } },
  // huggingface.co/nomic-ai/nomic-embed-text-v1.5, huggingface.co/nomic-ai/nomic-embed-text-v2-moe
  { names: /\bnomic-embed-text/, prefixes: { query: "search_query: ", document: "search_document: " } },
  // huggingface.co/BAAI/bge-small-en-v1.5, huggingface.co/BAAI/bge-small-zh-v1.5; bge-m3 has none.
  { names: /\bbge-(small|base|large)-zh/, prefixes: { query: "为这个句子生成表示以用于检索相关文章：", document: "" } },
  { names: /\bbge-(small|base|large)\b/, prefixes: { query: PASSAGES, document: "" } },
  // huggingface.co/mixedbread-ai/mxbai-embed-large-v1, mixedbread.com/docs/embeddings/mxbai-embed-large-v1
  { names: /\bmxbai-embed-large/, prefixes: { query: PASSAGES, document: "" } },
  // huggingface.co/Snowflake/snowflake-arctic-embed-l-v2.0, huggingface.co/Snowflake/snowflake-arctic-embed-m
  { names: /\bsnowflake-arctic-embed(2|-.*v2)/, prefixes: { query: "query: ", document: "" } },
  { names: /\bsnowflake-arctic-embed/, prefixes: { query: PASSAGES, document: "" } },
  // huggingface.co/google/embeddinggemma-300m
  { names: /\bembeddinggemma/, prefixes: { query: "task: search result | query: ", document: "title: none | text: " } },
];

/** What a model is known to expect; empty texts when it expects nothing, or is not known. */
export function knownPrefixes(model: string): TextPrefixes {
  return FAMILIES.find(({ names }) => names.test(model.toLowerCase()))?.prefixes ?? NONE;
}
