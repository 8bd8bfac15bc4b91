// Callbacks of an application, made from source text.

/** A function of this body; `wait(ms)` and `seen`, an object the test looks into, are at hand. */
export function callback(body, seen) {
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  return new Function("wait", "seen", `return function (...args) { const [request, options] = args; ${body} };`)(wait, seen);
}
