/** The constants of the source by the end of their file's path and their name, such as `facts/import.rs MAX_IMPORT`. */
import { readdirSync, readFileSync } from "node:fs";
import { at } from "../project.mjs";

/** How a constant is declared in Rust, in TypeScript, as the length of a name, and as a budget in wasm-pack.toml. */
const DECLARATIONS = [
  /^(?:pub(?:\([^)]*\))? )?const (\w+): [iu]\w+ = ([^;]+);/gm,
  /^(?:export )?const (\w+)(?:: number)? = ([\d_ *]+);/gm,
  /(name)\)?.*\{1,(\d+)\}\$\//g,
  /^"([\w./]+)" = \[(\d[\d_]*), /gm,
];

const FOLDERS = ["src", "crates/core/src", "pkg-template/src"];

/** The files that may declare a limit. */
function paths() {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(at(folder), { recursive: true }).filter((path) => /\.(rs|ts)$/.test(path)).map((path) => `${folder}/${path}`),
  );
  return [...found, "wasm-pack.toml"];
}

const declarations = paths().flatMap((path) => {
  const text = readFileSync(at(path), "utf8");
  return DECLARATIONS.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([whole, name, expression]) => ({ path, name, expression, isPublic: whole.startsWith("pub const MAX_") })),
  );
});

/** Whether a declaration is the one a place names. A place leaves out outer folders, so that it survives when they move. */
const isAt = (place) => ({ path, name }) => `/${path} ${name}`.endsWith(`/${place}`);

/**
 * The value of a constant.
 *
 * @throws when no file, or more than one, declares it.
 */
export function constant(place) {
  const found = declarations.filter(isAt(place));
  if (found.length !== 1) throw new Error(`${place}: ${found.length} constants fit; name one that the source declares, with as much of its path as is needed`);
  return evaluated(found[0].expression);
}

/** The public `MAX_` constants of the Rust source that none of the places names. */
export function unnamed(places) {
  return declarations
    .filter((declaration) => declaration.isPublic && !places.some((place) => isAt(place)(declaration)))
    .map(({ path, name }) => `${path} ${name}`);
}

/** The number behind `256 * 1024` or `1 << 20`. */
function evaluated(expression) {
  const [first, ...rest] = expression.replaceAll("_", "").split(/\s*(\*|<<)\s*/);
  let value = Number(first);
  for (let index = 0; index < rest.length; index += 2) value *= rest[index] === "*" ? Number(rest[index + 1]) : 2 ** Number(rest[index + 1]);
  return value;
}
