/** Vectors on their way into the engine: numbers beside the arguments of a call, which say where each is among them. */
import { isList, kind, MAX_BYTES, passes, reading, refused, tooLarge } from "./plain.js";

/** Under what the arguments of a call have the numbers that come with them. It is a symbol, so that nobody else's arguments have it. */
export const NUMBERS: unique symbol = Symbol("numbers");

/** Where a vector is among the numbers of its call. */
export interface Stretch {
  readonly at: number;
  readonly length: number;
}

/** The vectors of a call, one behind another. */
export class Numbers {
  readonly #all: number[] = [];

  /**
   * Takes a vector in.
   *
   * @param path where it stands in the arguments.
   * @throws InvalidInputError when it is not a list of finite numbers, or there are more than a call may bring.
   */
  add(value: unknown, path: string): Stretch {
    const cure = "pass finite 32-bit numbers";
    if (!isList(value) && !passes(() => value instanceof Float32Array)) throw refused(path, kind(value), cure);
    const list = reading(path, () => [...(value as Iterable<unknown>)]);
    const at = this.#all.length;
    if ((at + list.length) * 4 > MAX_BYTES) throw tooLarge();
    // A plain loop: imports bring millions of numbers.
    for (let place = 0; place < list.length; place += 1) {
      const number = list[place];
      // It crosses with 32 bits, which 1e39 does not have room in.
      if (typeof number !== "number" || !Number.isFinite(Math.fround(number))) {
        throw refused(`${path}[${place}]`, typeof number === "number" ? String(number) : kind(number), cure);
      }
      this.#all.push(number);
    }
    return { at, length: list.length };
  }

  /** The arguments of a call, with what was taken in. */
  beside(input: object): object {
    return this.#all.length === 0 ? input : { ...input, [NUMBERS]: new Float32Array(this.#all) };
  }
}
