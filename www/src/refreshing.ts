/** Shows what there is whenever it may have changed, one time after the other. What changes meanwhile is shown in one more go. */
export class Refreshing {
  readonly #show: () => Promise<unknown>;
  readonly #failed: (error: unknown) => void;
  #isStale = false;
  #isShowing = false;

  constructor(show: () => Promise<unknown>, failed: (error: unknown) => void) {
    this.#show = show;
    this.#failed = failed;
  }

  /** Something may have changed. */
  ask(): void {
    this.#isStale = true;
    if (!this.#isShowing) void this.#untilFresh();
  }

  async #untilFresh(): Promise<void> {
    this.#isShowing = true;
    while (this.#isStale) {
      this.#isStale = false;
      try {
        await this.#show();
      } catch (error) {
        this.#failed(error);
      }
    }
    // In one go with the last look whether anything changed: later, a change between the two would be lost.
    this.#isShowing = false;
  }
}
