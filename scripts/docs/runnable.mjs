/** Which snippets run in a page of the site, why others do not, and the modules that run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reach } from "../build/reach.mjs";
import { at, settings } from "../project.mjs";
import { moduleOf, printed } from "./snippets.mjs";

const packageFolder = at(settings.output.package);
const { name: packageName, exports } = JSON.parse(readFileSync(at("pkg-template/package.json"), "utf8"));

/** The script that a browser gets for an entry, or undefined when there is none. */
function scriptOf(specifier) {
  const entry = exports[specifier.replace(packageName, ".")];
  const script = entry?.browser ?? entry?.default;
  return script?.endsWith(".js") ? script.replace("./", "") : undefined;
}

const IMPORT = /^(\s*(?:import|export)\b(?:[^"'`;]*?\bfrom)?\s*)"([^"]+)"/gm;
const importsOf = (source) => Array.from(source.matchAll(IMPORT), ({ 2: specifier }) => specifier);

/** The packages that an entry needs beside itself. */
function neededBy(specifier) {
  const script = scriptOf(specifier);
  if (script === undefined) return [];
  const found = reach(join(packageFolder, script)).flatMap((file) => importsOf(readFileSync(file, "utf8")));
  return found.filter((name) => !name.startsWith("."));
}

const isOfPackage = (specifier) => specifier === packageName || specifier.startsWith(`${packageName}/`);

/**
 * Why a snippet cannot run in a page of the site; undefined when it can.
 *
 * @param {string} source JavaScript
 */
export function obstacle(source) {
  const imports = importsOf(source);
  if (imports.some((name) => name.startsWith("node:") || name === `${packageName}/node`)) return "Runs in Node";
  if (imports.some((name) => name.startsWith("cloudflare:") || name === `${packageName}/cloudflare`)) return "Runs in Cloudflare Workers";
  if (/^\/\/ \S+\.\w+$/.test(source.split("\n")[0])) return `A file of an app`;
  const others = imports.filter((name) => !isOfPackage(name));
  const needed = [...new Set([...others, ...imports.filter(isOfPackage).flatMap(neededBy)])];
  if (needed.length > 0) return `Needs ${needed.join(", ")}`;
  if (imports.includes(`${packageName}/cloudflare/client`)) return "Needs a Worker to ask";
  if (/\bdocument\.|\bworker: "shared"/.test(source)) return "Needs a page of its own";
  if (imports.includes(`${packageName}/slim`)) return "Needs a server that has node_modules";
  return undefined;
}

/** What else takes the place of something that a snippet leaves to the app, as the page says. */
export const standsIn = (source) => /\byour[A-Z]\w*|llm: openAICompatible|ollama|anthropic/i.test(source);

/**
 * The files that run a snippet, by their names; `docs/site/run/worker.js` imports the second.
 *
 * @param {string} name of the snippet
 * @param {string} source
 */
export function modulesOf(name, source) {
  const code = moduleOf(source).replaceAll(IMPORT, (whole, start, specifier) => {
    if (!isOfPackage(specifier)) return whole;
    return `${start}"${specifier === packageName ? "../package.js" : `../../package/${scriptOf(specifier)}`}"`;
  });
  return {
    [`${name}.js`]: code,
    [`${name}.run.js`]: `export const expected = ${JSON.stringify(printed(source))};\nexport const run = () => import("./${name}.js");\n`,
  };
}
