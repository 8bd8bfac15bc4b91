/** Which snippets run in a page of the site, why others do not, and the modules that run. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { standIns } from "../../docs/site/run/stand-ins.js";
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

/** The scripts that a browser loads for an entry, as text. */
function scriptsOf(specifier) {
  const script = scriptOf(specifier);
  return script === undefined ? [] : reach(join(packageFolder, script)).map((file) => readFileSync(file, "utf8"));
}

const isOfPackage = (specifier) => specifier === packageName || specifier.startsWith(`${packageName}/`);

/** What a text leaves to the app, such as `yourModel`. */
const own = (text) => text.match(/\byour[A-Z]\w*/g) ?? [];

/** The package of an import such as `@langchain/core/tools`. */
const packageOf = (name) => name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/");

/**
 * Why a snippet cannot run in a page of the site; undefined when it can.
 *
 * @param {string} source JavaScript
 */
export function obstacle(source) {
  const imports = importsOf(source);
  const scripts = imports.filter(isOfPackage).flatMap(scriptsOf);
  const needed = [...new Set([...imports, ...scripts.flatMap(importsOf)])].filter((name) => !isOfPackage(name) && !/^\.{0,2}\//.test(name));
  const isFor = (...entries) => entries.some((entry) => imports.includes(`${packageName}/${entry}`));
  if (isFor("node") || needed.some((name) => name.startsWith("node:"))) return "Runs in Node";
  if (isFor("cloudflare") || needed.some((name) => name.startsWith("cloudflare:"))) return "Runs in Cloudflare Workers";
  if (/^\/\/ \S+\.\w+$/.test(source.split("\n")[0])) return "A file of an app";
  if (needed.length > 0) return `Needs ${[...new Set(needed.map(packageOf))].join(", ")}`;
  if (own(source).some((name) => !own(String(standIns)).includes(name))) return "Needs a client of yours";
  if (isFor("cloudflare/client")) return "Needs a Worker to ask";
  if (isFor("inline")) return "For scripts without files beside them";
  if (isFor("slim")) return "Needs a server that has node_modules";
  if (/\bdocument\.|\bworker: "shared"/.test(source) || scripts.some((script) => script.includes("extends HTMLElement"))) return "Needs a page of its own";
  return undefined;
}

/** Whether a model or a server that a snippet leaves to the app is scripted on the site, as the page then says. */
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
