/** How high the rows of a long list are, as far as they were seen, and so where each of them stands. */

/** Before any row was seen. */
const GUESS_PX = 144;

export class Heights {
  #keys: readonly string[] = [];
  readonly #seen = new Map<string, number>();
  /** Of a row that was not seen. It stays once there is one, for with it everything below would move. */
  #guess: number | undefined;
  /** Where each row begins, and after the last where the list ends; empty until it is asked for. */
  #tops = new Float64Array();

  /** The rows that there are. */
  set keys(keys: readonly string[]) {
    this.#keys = keys;
    this.#tops = new Float64Array();
  }

  /** Takes note of the heights of rows; answers whether that moves others. */
  see(heights: Iterable<readonly [key: string, height: number]>): boolean {
    let isNew = false;
    let [sum, count] = [0, 0];
    for (const [key, height] of heights) {
      isNew ||= this.#seen.get(key) !== height;
      this.#seen.set(key, height);
      sum += height;
      count += 1;
    }
    if (count > 0) this.#guess ??= sum / count;
    if (isNew) this.#tops = new Float64Array();
    return isNew;
  }

  /** Another width makes other heights. */
  forget(): void {
    this.#seen.clear();
    this.#guess = undefined;
    this.#tops = new Float64Array();
  }

  /** Where a row begins; after the last, where the list ends. */
  top(index: number): number {
    return this.#placed()[index] ?? 0;
  }

  /** The row that stands at a height; the first above all, the last below. */
  at(height: number): number {
    const tops = this.#placed();
    let [low, high] = [0, Math.max(0, this.#keys.length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((tops[middle] ?? 0) <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #placed(): Float64Array {
    if (this.#tops.length > 0) return this.#tops;
    const tops = new Float64Array(this.#keys.length + 1);
    this.#keys.forEach((key, index) => {
      tops[index + 1] = (tops[index] ?? 0) + (this.#seen.get(key) ?? this.#guess ?? GUESS_PX);
    });
    return (this.#tops = tops);
  }
}
