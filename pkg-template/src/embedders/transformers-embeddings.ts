/** Embedding models that run in the page or process, by Transformers.js. */
import { EmbedderError } from "../errors.js";
import { modelEmbedder, type EmbedderLimits, type ModelEmbedder } from "./embedder.js";
import { checked } from "./options.js";
import { tell, type EmbedderProgress } from "./progress.js";
import { unlessAborted } from "./requests.js";

/** What is used of the module of Transformers.js. */
export interface TransformersModule {
  pipeline(task: never, model: never, options: never): unknown;
}

/** Which model to run, and how much at once: by default 16 texts with 8000 characters. */
export interface TransformersEmbeddings extends EmbedderLimits {
  /** The name of the model at Hugging Face, such as `Xenova/all-MiniLM-L6-v2`; it is also the beginning of the id. */
  readonly model: string;
  /**
   * The module of Transformers.js, or what imports it: `() => import("@huggingface/transformers")`, which bundlers need. Default: the package
   * `@huggingface/transformers` that Node or an import map finds, imported when it is first needed.
   */
  readonly transformers?: TransformersModule | (() => TransformersModule | Promise<TransformersModule>) | undefined;
  /** A pipeline for `"feature-extraction"` that you made; then nothing is loaded. Default: one is made of `model` and `load`. */
  readonly pipeline?: ((texts: never, options: never) => unknown) | undefined;
  /** Passed on to `pipeline()` of Transformers.js, such as `{ device: "webgpu", dtype: "q8" }`. Default: its own defaults. */
  readonly load?: Readonly<Record<string, unknown>> | undefined;
  /**
   * How the vectors of a text's parts become one. Default: what the model is known to need by its name, `"cls"` for BAAI's bge,
   * mxbai-embed-large and snowflake-arctic-embed, otherwise `"mean"`.
   */
  readonly pooling?: "mean" | "cls" | "last_token" | undefined;
}

/** An embedder that can be loaded ahead. */
export interface TransformersEmbedder extends ModelEmbedder {
  /**
   * Downloads and prepares the model, once; otherwise the first texts do so. It continues when the signal fires.
   *
   * @throws EmbedderError when that fails; the next call tries again.
   */
  load(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
}

type Pipeline = (texts: readonly string[], options: object) => unknown;

/** From the cards of the models, and from `1_Pooling/config.json` beside them. Others of these names, as TaylorAI/bge-micro-v2, have the mean. */
const POOLED_BY_FIRST = /\b(bge-(small|base|large|m3)|mxbai-embed-(2d-)?large|snowflake-arctic-embed)/;

/**
 * An embedding model that runs in this page or process, by Transformers.js. Its id is the model's name with the words that are put before
 * documents. Texts are embedded batch after batch, because a model runs once at a time.
 *
 * A call that is aborted while the model is loading ends, but loading continues: texts of a memory are embedded later, and found by
 * their words until then.
 *
 * @returns An object for the option `embed`.
 * @throws InvalidInputError when an option is unknown, missing, of the wrong kind or out of its range.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 * import { transformersEmbeddings } from "mnemic/embedders";
 *
 * const embed = transformersEmbeddings({
 *   model: "Xenova/multilingual-e5-small",
 *   onProgress: (progress) => console.log(progress),
 * });
 * const memory = await openMemory({ name: "chat", storage: "memory", embed });
 * await memory.close();
 * ```
 */
export function transformersEmbeddings(embeddings: TransformersEmbeddings): TransformersEmbedder {
  const options = checked(embeddings, ["transformers", "pipeline", "load", "pooling"]);
  const { model, pooling = POOLED_BY_FIRST.test(model.toLowerCase()) ? "cls" : "mean" } = options;
  let loaded: Promise<Pipeline> | undefined;
  const ready = (): Promise<Pipeline> => {
    return (loaded ??= loadPipeline(options).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
  };
  let last: Promise<unknown> = Promise.resolve();
  const request = (texts: readonly string[], signal: AbortSignal): Promise<unknown> =>
    unlessAborted(signal, async (bounded) => {
      const pipeline = await ready();
      const turn = last.then(() => (bounded.aborted ? [] : run(pipeline, texts, pooling, model)));
      last = turn.catch(() => {});
      return turn;
    });
  const embedder = modelEmbedder({ model, limits: { maxTexts: 16, maxCharacters: 8000 }, request }, options);
  return {
    ...embedder,
    async load({ signal = new AbortController().signal } = {}) {
      await unlessAborted(signal, ready);
    },
  };
}

async function loadPipeline({ model, transformers, pipeline, load, onProgress }: TransformersEmbeddings): Promise<Pipeline> {
  if (pipeline !== undefined) return pipeline as unknown as Pipeline;
  const module = await loadModule(transformers);
  const options = { ...load, ...(onProgress !== undefined && { progress_callback: (info: unknown) => tellFile(info, onProgress) }) };
  try {
    return (await module.pipeline("feature-extraction" as never, model as never, options as never)) as Pipeline;
  } catch (cause) {
    const cure = "check its name, and that this page may connect to huggingface.co or wherever env.remoteHost of Transformers.js points";
    throw new EmbedderError(`${model} cannot be loaded (${String(cause)}); ${cure}`, { cause });
  }
}

async function loadModule(transformers: TransformersEmbeddings["transformers"] = installed): Promise<TransformersModule> {
  let cause: unknown = "it has no pipeline()";
  try {
    const module = typeof transformers === "function" ? await transformers() : transformers;
    if (typeof module.pipeline === "function") return module;
  } catch (error) {
    cause = error;
  }
  const cure = 'install @huggingface/transformers, and in a bundle pass transformers: () => import("@huggingface/transformers")';
  throw new EmbedderError(`Transformers.js cannot be loaded (${String(cause)}); ${cure}`, { cause });
}

/** The name is put together here: bundlers that read it would demand the package of every app that imports any embedder. */
const installed = (): Promise<TransformersModule> => import(["@huggingface", "transformers"].join("/")) as Promise<TransformersModule>;

/** Passes on what is known of a file; Transformers.js also tells of its steps, and of all files together. */
function tellFile(info: unknown, onProgress: (progress: EmbedderProgress) => void): void {
  const { status, file, loaded, total } = (info ?? {}) as Readonly<Record<string, unknown>>;
  if (status !== "progress" || typeof file !== "string") return;
  tell(onProgress, { phase: "download", file, loadedBytes: Number(loaded) || 0, totalBytes: Number(total) || 0 });
}

/** One vector for each text. */
async function run(pipeline: Pipeline, texts: readonly string[], pooling: string, model: string): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await pipeline(texts, { pooling, normalize: true });
  } catch (cause) {
    throw new EmbedderError(`${model} failed (${String(cause)}); lower maxTexts or maxTextCharacters if memory is short`, { cause });
  }
  const { data, dims } = (answer ?? {}) as { readonly data?: unknown; readonly dims?: readonly unknown[] };
  const [count, dimensions] = dims ?? [];
  const isMatrix = data instanceof Float32Array && dims?.length === 2 && typeof count === "number" && typeof dimensions === "number";
  if (!isMatrix || data.length !== count * dimensions) {
    const cure = 'pass a pipeline for "feature-extraction", and another dtype if its numbers are not 32-bit floats';
    throw new EmbedderError(`${model} answered no matrix of 32-bit floats; ${cure}`, { details: { reason: "shape" } });
  }
  return Array.from({ length: count }, (_, place) => data.slice(place * dimensions, (place + 1) * dimensions));
}
