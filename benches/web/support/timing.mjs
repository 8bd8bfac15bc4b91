/** Taking times: every call apart, the first ones left out, the median and the 95th percentile reported. */

/** The share of the calls that warm up before the first one counts. */
const WARM_UP = 0.2;

/**
 * Times `work(number)` call by call.
 *
 * @param {number} count of calls that count
 * @param {(number: number) => unknown} work is awaited
 * @param {(answer: any, number: number) => void} check throws when the answer is wrong; not timed
 * @param {() => number} aside milliseconds so far that are not to be counted, such as an embedder's own
 * @returns {Promise<{value: number, p95: number}>} in milliseconds
 */
export async function timed(count, work, check, aside = () => 0) {
  const times = [];
  const warmUp = Math.ceil(count * WARM_UP);
  for (let number = 0; number < warmUp + count; number += 1) {
    const before = aside();
    const start = performance.now();
    const answer = await work(number);
    const time = performance.now() - start - (aside() - before);
    check(answer, number);
    if (number >= warmUp) times.push(time);
  }
  return summary(times);
}

/** The median and the 95th percentile of some times. */
export function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { value: at(0.5), p95: at(0.95) };
}

/**
 * Runs `work` beside a ticking clock: how long it takes, its answer, and the longest time that nothing else could run in between.
 * Both are milliseconds.
 */
export async function longestHold(work) {
  const { port1, port2 } = new MessageChannel();
  let [longest, last, ticks] = [0, performance.now(), true];
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (ticks) port2.postMessage(0);
  };
  port1.onmessage = tick;
  port2.postMessage(0);
  const start = performance.now();
  const answer = await work();
  const time = performance.now() - start;
  tick();
  ticks = false;
  port1.close();
  return { time, longest, answer };
}

/** Ends the bench: a fast wrong answer is none. */
export function expect(condition, message) {
  if (!condition) throw new Error(`wrong answer: ${message}`);
}
