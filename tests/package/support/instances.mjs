/** The instances of the module, in whatever runtime a test's program has them. */

/**
 * Notes the linear memory of each instance that is made from now on in `memories`, without keeping it alive. `ruin()` overwrites the last
 * one: whatever the engine does next traps. It stands alone: a page is given it as a function, a program as text, `(${watchInstances})()`.
 */
export function watchInstances() {
  const { instantiate } = WebAssembly;
  const memories = [];
  WebAssembly.instantiate = async (...values) => {
    const made = await instantiate.apply(WebAssembly, values);
    const { memory } = (made.instance ?? made).exports;
    // Later parts use the memory of the first.
    if (memory !== undefined) memories.push(new WeakRef(memory));
    return made;
  };
  globalThis.memories = memories;
  globalThis.ruin = () => new Uint8Array(memories.at(-1).deref().buffer).fill(0xff);
}
