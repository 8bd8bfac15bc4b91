/** Embedding models of Ollama. */
import { EmbedderError } from "../errors.js";
import { post, Refusal, send, type Server } from "../server.js";
import { modelEmbedder, type EmbedderLimits, type ModelEmbedder } from "./embedder.js";
import { checked, OF_SERVER } from "./options.js";
import { tell } from "./progress.js";
import { refused, Requests, type RequestLimits, unlessAborted } from "./requests.js";

/** Which embedding model to ask, where, and how much at once: by default 32 texts with 50,000 characters. */
export interface OllamaEmbeddings extends Partial<Server>, EmbedderLimits, RequestLimits {
  /** The name of the model, such as `nomic-embed-text`. */
  readonly model: string;
  /** Default: `http://localhost:11434`. */
  readonly baseUrl?: string;
  /** Asks for shorter vectors, of models that can. Default: the model's own length. */
  readonly dimensions?: number | undefined;
  /** Whether a model that Ollama does not have is downloaded by it, which can be gigabytes. Default: false. */
  readonly pull?: boolean | undefined;
}

const BASE_URL = "http://localhost:11434";

/**
 * An embedding model of Ollama, by Ollama's own interface. Its id is the model's name, with the dimensions when they are given and with
 * the words that are put before documents.
 *
 * Pages other than on localhost need `OLLAMA_ORIGINS` to be set where Ollama runs.
 *
 * @returns An object for the option `embed`.
 * @throws InvalidInputError when an option is unknown, missing, of the wrong kind or out of its range.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 * import { ollamaEmbeddings } from "mnemic/embedders";
 *
 * const embed = ollamaEmbeddings({ model: "nomic-embed-text", pull: true });
 * const memory = await openMemory({ name: "chat", storage: "memory", embed });
 * await memory.close();
 * ```
 */
export function ollamaEmbeddings(embeddings: OllamaEmbeddings): ModelEmbedder {
  const options = checked(embeddings, [...OF_SERVER, "pull"]);
  const { model, dimensions, pull = false, baseUrl = BASE_URL } = options;
  const server = { ...options, baseUrl };
  const requests = new Requests(model, options);
  let pulling: Promise<void> | undefined;
  const ask = (input: readonly string[], signal: AbortSignal): Promise<unknown> => {
    const body = { model, input, ...(dimensions !== undefined && { dimensions }) };
    return requests.make(signal, (bounded) => post(server, "/api/embed", body, bounded));
  };
  const request = async (texts: readonly string[], signal: AbortSignal): Promise<unknown> => {
    let answer = await ask(texts, signal);
    if (pull && answer instanceof Refusal && answer.status === 404) {
      // The download goes on when this call is no longer wanted: the next one needs it too.
      pulling ??= download(server, options).finally(() => (pulling = undefined));
      await unlessAborted(signal, () => pulling as Promise<void>);
      answer = await ask(texts, signal);
    }
    if (!(answer instanceof Refusal)) return (answer as { readonly embeddings?: unknown } | null | undefined)?.embeddings;
    const error = refused(model, answer);
    if (answer.status !== 404) throw error;
    throw new EmbedderError(`${error.message}; run "ollama pull ${model}", or pass pull: true`, { details: error.details });
  };
  return modelEmbedder({ model, dimensions, limits: { maxTexts: 32, maxCharacters: 50_000 }, request }, options);
}

/** A line of what `/api/pull` answers. */
interface PullStatus {
  readonly status?: string;
  readonly digest?: string;
  readonly total?: number;
  readonly completed?: number;
  readonly error?: string;
}

/** Has a model downloaded. */
async function download(server: Server, { model, onProgress }: OllamaEmbeddings): Promise<void> {
  const failed = (what: string, cause?: unknown): EmbedderError =>
    new EmbedderError(`${model} could not be downloaded by Ollama: ${what}; check its name, and the connection of Ollama`, { cause });
  try {
    const response = await send(server, "/api/pull", { model }, new AbortController().signal);
    if (response instanceof Refusal) throw refused(model, response);
    let isDone = false;
    for await (const line of lines(response)) {
      const { status, digest, total, completed, error } = JSON.parse(line) as PullStatus;
      if (error !== undefined) throw failed(error);
      isDone = status === "success";
      if (digest === undefined || total === undefined) continue;
      tell(onProgress, { phase: "download", file: digest, loadedBytes: completed ?? 0, totalBytes: total });
    }
    if (!isDone) throw failed("it broke off");
  } catch (cause) {
    throw cause instanceof EmbedderError ? cause : failed(String(cause), cause);
  }
}

/** The lines of a response, as they come. */
async function* lines({ body }: Response): AsyncGenerator<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (let isDone = reader === undefined; !isDone; ) {
    const piece = await reader?.read();
    isDone = piece?.done ?? true;
    rest += decoder.decode(piece?.value, { stream: !isDone });
    const parts = rest.split("\n");
    rest = isDone ? "" : (parts.pop() ?? "");
    yield* parts.filter((part) => part.trim() !== "");
  }
}
