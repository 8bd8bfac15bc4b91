/** Chance that can be repeated. */

/** Numbers from 0 to 1, the same for the same seed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The same list in another order; `next` answers numbers from 0 to 1. */
export function shuffled(list, next) {
  return list.map((entry) => [next(), entry]).sort(([a], [b]) => a - b).map(([, entry]) => entry);
}
