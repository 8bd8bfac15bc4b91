/** What all embedders of this entry have in common. */
import type { Embedder, TextPurpose } from "../models.js";
import { checkWhole } from "../whole.js";
import { batches, beginning } from "./batches.js";
import { VectorCache } from "./cache.js";
import { knownPrefixes, type TextPrefixes } from "./prefixes.js";
import { tell, type EmbedderProgress } from "./progress.js";
import { VectorReader } from "./vectors.js";

/** How texts are given to a model, what is kept, and who is told. */
export interface EmbedderLimits {
  /** The most texts of one request, 1 to 10,000. The default depends on the model's home. */
  readonly maxTexts?: number | undefined;
  /** The most characters of all texts of one request; a longer text goes alone. The default depends on the model's home. */
  readonly maxCharacters?: number | undefined;
  /** The most characters of one text; of a longer one, the beginning is embedded. Default: 5000. */
  readonly maxTextCharacters?: number | undefined;
  /**
   * How many bytes of texts and their vectors are kept in the memory of this page or process, so that a text is embedded once.
   * Default: 8 MiB; 0 keeps nothing. Forgotten text may stay in this cache until the page is closed.
   */
  readonly maxCacheBytes?: number | undefined;
  /**
   * The prefixes of texts. Default: those the model is known to expect, by its name: e5, nomic-embed-text, bge, mxbai-embed-large,
   * snowflake-arctic-embed, embeddinggemma; otherwise nothing. `false` adds none.
   */
  readonly prefixes?: TextPrefixes | false | undefined;
  /**
   * Called with the progress of the model's download, file by file, where the embedder downloads it; and after each batch with how many texts
   * of the call have their vector. Calls that embed nothing new tell nothing. Default: none.
   */
  readonly onProgress?: ((progress: EmbedderProgress) => void) | undefined;
}

/** An embedder whose vectors are checked, and copies: change them as you like. */
export interface ModelEmbedder extends Embedder {
  /**
   * The vectors of texts, in order.
   *
   * @throws EmbedderError when the model fails or returns no usable vectors; `details` has `status`, `retryAfterMs` or `reason`
   * (`"shape"`, `"count"`, `"dimensions"`, `"values"`) where they are known.
   * @throws TimeoutError when an answer takes too long, and the signal's reason when it fires.
   */
  embed(texts: readonly string[], options: { readonly signal: AbortSignal; readonly purpose?: TextPurpose | undefined }): Promise<Float32Array[]>;
}

/** One model, as it is asked. */
export interface EmbeddingModel {
  readonly model: string;
  readonly dimensions?: number | undefined;
  /** The defaults of its home. */
  readonly limits: { readonly maxTexts: number; readonly maxCharacters: number; readonly maxTextCharacters?: number };
  /** Embeds one batch. What it answers is checked. */
  request(texts: readonly string[], signal: AbortSignal): Promise<unknown>;
}

const MAX_TEXT_CHARACTERS = 5000;
const MAX_CACHE_BYTES = 8 * 1024 * 1024;
const SHOWN_PREFIX_CHARACTERS = 40;

/**
 * An embedder.
 *
 * @throws InvalidInputError when a limit is out of its range.
 */
export function modelEmbedder({ model, dimensions, limits, request }: EmbeddingModel, options: EmbedderLimits): ModelEmbedder {
  const { maxTexts = limits.maxTexts, maxCharacters = limits.maxCharacters, maxCacheBytes = MAX_CACHE_BYTES } = options;
  const { maxTextCharacters = limits.maxTextCharacters ?? MAX_TEXT_CHARACTERS } = options;
  checkWhole("options.maxTexts", maxTexts, 1, 10_000);
  checkWhole("options.maxCharacters", maxCharacters, 1, Number.MAX_SAFE_INTEGER);
  checkWhole("options.maxTextCharacters", maxTextCharacters, 2, Number.MAX_SAFE_INTEGER);
  checkWhole("options.maxCacheBytes", maxCacheBytes, 0, Number.MAX_SAFE_INTEGER);
  if (dimensions !== undefined) checkWhole("options.dimensions", dimensions, 1, 10_000);
  const prefixes = options.prefixes === undefined ? knownPrefixes(model) : options.prefixes || { query: "", document: "" };
  const cache = new VectorCache(maxCacheBytes);
  const reader = new VectorReader(model, dimensions);
  return {
    id: idOf(model, dimensions, prefixes.document),
    async embed(texts, { signal, purpose = "document" }) {
      signal.throwIfAborted();
      const wanted = texts.map((text) => prefixes[purpose] + beginning(text, maxTextCharacters));
      const found = new Map<string, Float32Array>();
      for (const text of wanted) {
        const vector = cache.get(text);
        if (vector !== undefined) found.set(text, vector);
      }
      const missing = [...new Set(wanted)].filter((text) => !found.has(text));
      let done = 0;
      for (const batch of batches(missing, { maxTexts, maxCharacters })) {
        const vectors = reader.read(await request(batch, signal), batch.length);
        // What is here is kept even if a later batch fails.
        for (const [place, vector] of vectors.entries()) {
          const text = batch[place] as string;
          found.set(text, vector);
          cache.set(text, vector);
        }
        done += batch.length;
        tell(options.onProgress, { phase: "embed", done, total: missing.length });
      }
      return wanted.map((text) => (found.get(text) as Float32Array).slice());
    },
  };
}

/** Vectors of other dimensions, or of texts with other words before them, must not be compared. */
function idOf(model: string, dimensions: number | undefined, prefix: string): string {
  const sized = dimensions === undefined ? model : `${model}@${dimensions}`;
  return prefix === "" ? sized : `${sized}+${prefix.slice(0, SHOWN_PREFIX_CHARACTERS).trim()}`;
}
