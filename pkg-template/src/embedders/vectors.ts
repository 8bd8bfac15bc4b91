/** What models answer, as vectors; or what is wrong with it. */
import { EmbedderError } from "../errors.js";

/** Checks the answers of one model, whose vectors all have one length. */
export class VectorReader {
  readonly #model: string;
  #dimensions: number | undefined;

  /** @param dimensions how many values a vector must have; without it, as many as the first one has. */
  constructor(model: string, dimensions: number | undefined) {
    this.#model = model;
    this.#dimensions = dimensions;
  }

  /**
   * The vectors of as many texts.
   *
   * @throws EmbedderError saying what is wrong, with `details.reason`.
   */
  read(answer: unknown, count: number): Float32Array[] {
    if (!Array.isArray(answer)) throw this.#nonsense("shape", `${typeof answer} in place of vectors`, IS_EMBEDDING);
    if (answer.length !== count) {
      throw this.#nonsense("count", `${answer.length} vectors for ${count} texts`, "lower maxTexts if the server takes fewer at once");
    }
    const vectors = Array.from(answer as unknown[], (value, place) => this.#vector(value, place));
    const dimensions = this.#dimensions ?? vectors[0]?.length;
    for (const [place, { length }] of vectors.entries()) {
      if (length === dimensions) continue;
      throw this.#nonsense("dimensions", `${length} values in vector ${place}, and ${dimensions} elsewhere`, SAME_MODEL);
    }
    this.#dimensions = dimensions;
    return vectors;
  }

  #vector(value: unknown, place: number): Float32Array {
    const isList = Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array;
    if (!isList || value.length === 0) {
      throw this.#nonsense("shape", `${isList ? "no values" : typeof value} as vector ${place}`, IS_EMBEDDING);
    }
    const wrong = Array.isArray(value) ? value.findIndex((number) => typeof number !== "number") : -1;
    if (wrong >= 0) throw this.#nonsense("values", `${typeof value[wrong]} among the numbers of vector ${place}`, IS_EMBEDDING);
    const vector = value instanceof Float32Array ? value : Float32Array.from(value as ArrayLike<number>);
    const infinite = vector.find((number) => !Number.isFinite(number));
    if (infinite === undefined) return vector;
    throw this.#nonsense("values", `${infinite} among the numbers of vector ${place}`, "try another precision of the model, such as fp32");
  }

  #nonsense(reason: string, what: string, cure: string): EmbedderError {
    return new EmbedderError(`${this.#model} answered ${what}; ${cure}`, { details: { reason } });
  }
}

const IS_EMBEDDING = "check that it is an embedding model, and that the address is that of its embeddings";

const SAME_MODEL = "check that one model answers all requests; for other dimensions, make an embedder of its own, which has an id of its own";
