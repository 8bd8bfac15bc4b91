/** Long work in slices, between which whatever else the thread has to do is done. */

/** How long a slice takes, so that with what goes before and after it a frame is not missed. */
const SLICE_MS = 4;

/** Does all steps: at once if that is quick, else in slices. */
export function inSlices<Result>(steps: Iterator<void, Result>): Result | Promise<Result> {
  const slice = (): IteratorResult<void, Result> => {
    const end = performance.now() + SLICE_MS;
    for (;;) {
      const step = steps.next();
      if (step.done || performance.now() >= end) return step;
    }
  };
  const first = slice();
  if (first.done) return first.value;
  return (async () => {
    for (;;) {
      await pause();
      const next = slice();
      if (next.done) return next.value;
    }
  })();
}

/** What `work` makes of each item. */
export function* each<Item, Result>(items: readonly Item[], work: (item: Item, place: number) => Result): Generator<void, Result[]> {
  const results: Result[] = [];
  for (const [place, item] of items.entries()) {
    results.push(work(item, place));
    yield;
  }
  return results;
}

/** Resolves when other tasks had their turn. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    // A timer would wait for some milliseconds.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
