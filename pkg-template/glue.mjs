/**
 * Turns the module that `wasm-bindgen --target web` writes into a factory.
 *
 * As written, the module holds one WebAssembly instance for the life of the page, and a second `init()` returns the
 * first instance. A trap leaves that instance unusable, so the package must be able to make another one. As a factory,
 * every call has its own classes, caches and instance, and what still runs in a dead instance cannot reach the new one.
 *
 * What the module knows of loading (fetch, `import.meta.url`, the guard) is left out: the package's entries load the module.
 */

/** Where the part about loading begins; everything from there to the end is loading. */
const LOADING = "async function __wbg_load(";

/** What the factory needs from the rest. */
const PARTS = ["function __wbg_get_imports()", "function __wbg_finalize_init(instance, module)"];

/**
 * @param {string} source the text of the generated `mnemic.js`
 * @returns {string} the text of a module that exports `createGlue()`, as declared in `src/mnemic.d.ts`
 * @throws {Error} when the source is not of the expected form, which a new version of wasm-bindgen may bring
 */
export function glueFactory(source) {
  const end = source.indexOf(LOADING);
  const missing = [LOADING, ...PARTS].find((part) => !source.includes(part));
  if (missing !== undefined) {
    throw new Error(`the glue has no "${missing}"; it must come from wasm-bindgen --target web, at the pinned version`);
  }
  const classes = [];
  const body = source.slice(0, end).replaceAll(/^export class (\w+)/gm, (_, name) => {
    classes.push(name);
    return `class ${name}`;
  });
  const stray = /^(?:import|export)\b.*$/m.exec(body);
  if (stray) throw new Error(`the glue has "${stray[0]}", which cannot stand inside a function; the engine exports classes only`);
  return [
    "export function createGlue() {",
    body.trimEnd(),
    `return { ${[...classes, "imports: __wbg_get_imports", "start: __wbg_finalize_init"].join(", ")} };`,
    "}",
    "",
  ].join("\n");
}
