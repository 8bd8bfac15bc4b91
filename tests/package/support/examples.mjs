/** The examples in the documentation of the installed package. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What an example may take for granted, when it does not open a memory of its own. */
const PRELUDE = `
  import { openMemory as open_ } from "mnemic";
  const memory = await open_({
    name: "example",
    storage: "memory",
    profiles: {
      "user-profile": {
        type: "object",
        properties: { name: { type: "string" }, language: { enum: ["de", "en", "fr"] } },
      },
    },
  });
  const user = memory.scope({ userId: "alice" });
  void user;
`;

/**
 * Finds the blocks of TypeScript in declarations and in the README. A block marked `no-run` is compiled only.
 *
 * @returns {Promise<Array<{name: string, source: string, isRun: boolean}>>}
 */
export async function findExamples(folder) {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => /(\.d\.ts|^README\.md)$/.test(path)).sort();
  const examples = [];
  for (const path of paths) {
    const text = await readFile(join(folder, path), "utf8");
    for (const match of text.matchAll(/^([ \t]*\*?[ \t]*)```ts([^\n]*)\n([^]*?)^\1```/gm)) {
      const line = text.slice(0, match.index).split("\n").length;
      const body = match[3].replaceAll(/^[ \t]*\* ?/gm, (start) => (match[1].includes("*") ? "" : start));
      const isWhole = /from "mnemic/.test(body) && /\bopen(Memory|er)\(/.test(body);
      examples.push({
        name: `${path}:${line}`,
        source: isWhole ? `${body}\nexport {};\n` : `${imports(body)}${PRELUDE}${withoutImports(body)}\nawait memory.close();\nexport {};\n`,
        isRun: !match[2].includes("no-run"),
      });
    }
  }
  return examples;
}

const IMPORT = /^import .*$\n?/gm;
const imports = (body) => (body.match(IMPORT) ?? []).join("");
const withoutImports = (body) => body.replaceAll(IMPORT, "");
