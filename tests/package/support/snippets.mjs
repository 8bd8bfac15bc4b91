/** The code in the documents of the repository, and what it says it prints. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "./tarball.mjs";

/** The documents whose code is run, by their paths. */
export const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`),
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
const javaScript = (source) => ts.transpileModule(source, { compilerOptions: COMPILER }).outputText;

/** What a source says that it prints, line by line: the `// -> ...` after each `console.log(...)`. */
export const printed = (source) => Array.from(source.matchAll(/^\s*console\.log\(.*\); \/\/ -> (.*)$/gm), ({ 1: line }) => line);

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
