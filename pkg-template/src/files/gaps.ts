/** Bytes of a journal that are no records, and what later records say of them. */

/** From a position up to another. */
export interface Gap {
  readonly at: number;
  readonly end: number;
}

/** Who said what stood in a gap: a record, and the position of the batch upon which it was written. */
interface Witness {
  readonly id: string;
  readonly upon: number | undefined;
}

/** The gaps of a journal. What stood in one is not known until a record behind it tells upon which batch it was written. */
export class Gaps {
  #open: Gap[] = [];
  readonly #closed: Array<Gap & { readonly witness: Witness }> = [];

  add(gap: Gap): void {
    this.#open.push(gap);
  }

  /** The gaps of which nothing is known yet: a record says what stood there. */
  close(witness: Witness): Gap[] {
    const gaps = this.#open;
    this.#open = [];
    for (const gap of gaps) this.#closed.push({ ...gap, witness });
    return gaps;
  }

  /**
   * Who is wrong when a batch counted that stood at a position: the record that seemed to go upon the last one before, and was written
   * by somebody who did not know of this one yet.
   */
  contradicted(position: number): string | undefined {
    const isWrong = ({ upon }: Witness): boolean => upon !== undefined && upon < position;
    return this.#closed.find(({ at, end, witness }) => at <= position && position < end && isWrong(witness))?.witness.id;
  }
}
