/** The code in the documents of the repository, and what it says it prints. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { undated } from "../../docs/site/run/console.js";
import { root } from "../project.mjs";

export { undated };

/** The documents whose code is run, by their paths. The pages that only the site has are not among them. */
export const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"), { recursive: true }).filter((path) => /^(?!site\/).*\.md$/.test(path)).sort().map((path) => `docs/${path}`),
];

/** The text of a document. */
export const textOf = (path) => readFileSync(join(root, path), "utf8");

/**
 * All blocks of a language in all documents, TypeScript as JavaScript.
 *
 * @param {"js" | "ts" | "html" | "sh"} language
 * @returns {Array<{name: string, source: string}>} `name` is the place, such as `README.md:12`
 */
export function snippets(language) {
  return documents.flatMap((path) => {
    const text = textOf(path);
    return Array.from(text.matchAll(new RegExp(`^\`\`\`${language}$\n([^]*?)^\`\`\`$`, "gm")), ({ index, 1: source }) => ({
      name: `${path}:${text.slice(0, index).split("\n").length}`,
      source: language === "ts" ? javaScript(source) : source,
    }));
  });
}

const COMPILER = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
/** TypeScript as JavaScript. */
export const javaScript = (source) => ts.transpileModule(source, { compilerOptions: COMPILER }).outputText;

/** What a source says that it prints, one text per call: the `// -> ...` after each `console.log(...)`, with the comments below it. */
export function printed(source) {
  const calls = source.matchAll(/^\s*console\.log\(.*\); \/\/ ->(?: (.*))?((?:\n[ \t]*\/\/ .*)*)$/gm);
  return Array.from(calls, ({ 1: first, 2: more }) => {
    const lines = more.split("\n").slice(1).map((line) => line.replace(/^[ \t]*\/\/ /, ""));
    return undated([first, ...lines].filter((line) => line !== undefined).join("\n"));
  });
}

/** What GitHub makes of a heading in a link to it. */
export const slugOf = (heading) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");

/** The anchors of a document's headings, as GitHub makes them. */
export function anchors(text) {
  const seen = new Map();
  return Array.from(withoutCode(text).matchAll(/^#{1,6} (.*)$/gm), ({ 1: heading }) => {
    const slug = slugOf(heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
}

/** The targets of a document's links. */
export const links = (text) => Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)[^)]*\)/g), ({ 1: target }) => target);

const withoutCode = (text) => text.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ""));

/** Opens a memory where a snippet goes on from an earlier one. */
const PRELUDE = `
  import { openMemory as open } from "mnemic";
  const memory = await open({ name: "snippet" });
  const user = memory.scope({ userId: "alice" });
`;

/** A snippet as a module of its own, which hands its memory to the page, and its chat, if it makes one. */
export function moduleOf(source) {
  const whole = /\bopenMemory\(/.test(source) ? source : `${PRELUDE}${source}`;
  return `${whole}\nglobalThis.memory = memory;\n${/function chat\(/.test(source) ? "globalThis.chat = chat;\n" : ""}`;
}
