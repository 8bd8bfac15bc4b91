// What the platform asks of its runtime, counted or taken away.

/** Counts timers from now on: `set`, `cleared`, `fired`. */
export function watchTimers() {
  const { setTimeout, clearTimeout } = globalThis;
  const counts = { set: 0, cleared: 0, fired: 0 };
  const running = new Set();
  globalThis.setTimeout = (callback, ms) => {
    counts.set += 1;
    const id = setTimeout(() => {
      counts.fired += 1;
      running.delete(id);
      callback();
    }, ms);
    running.add(id);
    return id;
  };
  globalThis.clearTimeout = (id) => {
    if (running.delete(id)) counts.cleared += 1;
    clearTimeout(id);
  };
  counts.restore = () => Object.assign(globalThis, { setTimeout, clearTimeout });
  return counts;
}

/** Puts something else in a global's place; the answer puts the old one back. */
export function replaceGlobal(name, value) {
  const old = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value, configurable: true });
  return () => Object.defineProperty(globalThis, name, old);
}

export const forbiddenCrypto = () => ({
  getRandomValues() {
    throw new Error("Disallowed operation called within global scope");
  },
});
