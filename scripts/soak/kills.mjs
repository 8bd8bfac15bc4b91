/** Kills what writes, opens again what it wrote, and judges that. */

/**
 * Opens, writes and kills one memory `soak.lives` times, and opens it a last time.
 *
 * @param {object} soak see `soak.mjs`
 * @param {object} row of the tally
 * @param {(confirmed: number, onConfirmed: (step: number) => void) => Promise<{found: Promise<object | undefined>, ended: Promise<void>,
 *   log: () => string[], kill: () => Promise<void>}>} begin opens the memory, judges it and writes on; `found` is undefined when it was
 *   killed before
 * @param {number} longestMs how long it lives at most, from when it begins to open or to write
 */
export async function kills(soak, row, begin, longestMs) {
  let confirmed = 0;
  for (let life = 1; ; life += 1) {
    const isLast = life > soak.lives || soak.isOver();
    if (!isLast) soak.begin(row);
    const before = confirmed;
    const run = await begin(before, (step) => {
      confirmed = step;
      row.confirmed += 1;
    });
    // A third of the kills may come while it opens, the others while it writes.
    if (isLast || soak.next() > 1 / 3) await run.found;
    const delay = isLast ? 0 : soak.next() * longestMs;
    await Promise.race([run.ended, new Promise((done) => setTimeout(done, delay))]);
    await run.kill();
    const found = await run.found;
    if (found !== undefined && !soak.tally.found(row, { ...found, confirmed: before, log: run.log() })) return;
    // What was told as lost is due no longer.
    if (found !== undefined && confirmed === before) confirmed = found.step;
    if (isLast) return;
  }
}
