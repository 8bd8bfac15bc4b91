/** Repeated rounds, in which every subject has its turn, so that what else the machine does slows all of them alike. */

/** The middle one, or the lower of the two in the middle. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/**
 * Does the works in turn, `count` times, the first one later by one in each round. One that fails is left out from then on, and one that
 * took longer than `long` milliseconds.
 *
 * @param {number} count
 * @param {Array<() => Promise<{time: number, answers?: number[][]}>>} works
 * @param {number} [long]
 * @returns {Promise<Array<{time: number, answers: number[][]} | {error: string}>>} the median time and the longest list of answers of each
 */
export async function inTurn(count, works, long = Infinity) {
  const done = works.map(() => ({ times: [], answers: [] }));
  for (let round = 0; round < count; round += 1) {
    for (let place = 0; place < works.length; place += 1) {
      const number = (place + round) % works.length;
      const own = done[number];
      if (own.error !== undefined || own.times.some((time) => time > long)) continue;
      try {
        const { time, answers = [] } = await works[number]();
        own.times.push(time);
        if (answers.length > own.answers.length) own.answers = answers;
      } catch (error) {
        own.error = error.message;
      }
    }
  }
  return done.map(({ times, answers, error }) => (error === undefined ? { time: median(times), answers } : { error }));
}
