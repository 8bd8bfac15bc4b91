/** The errors of the package, from the sources that define them. */
import { readFileSync } from "node:fs";
import typescript from "typescript";
import { filesIn } from "../digest.mjs";
import { at } from "../project.mjs";

/**
 * Every subclass of the package's error.
 *
 * @returns {Array<{name: string, code: string, meaning: string, cure: string}>} `cure` is empty where the comment has no remarks
 */
export function errors() {
  const files = filesIn(at("pkg-template/src")).filter((file) => file.endsWith("errors.ts"));
  return files.flatMap((file) => {
    const source = typescript.createSourceFile(file, readFileSync(file, "utf8"), typescript.ScriptTarget.Latest, true);
    return source.statements.filter(isError).map((statement) => {
      const [comment] = typescript.getJSDocCommentsAndTags(statement);
      const remarks = comment?.tags?.find(({ tagName }) => tagName.text === "remarks");
      return { name: statement.name.text, code: codeOf(statement), meaning: textOf(comment), cure: textOf(remarks) };
    });
  });
}

const isError = (statement) =>
  typescript.isClassDeclaration(statement) && (statement.heritageClauses ?? []).some((clause) => clause.getText().includes("MnemicError"));

const codeOf = (statement) => statement.members.find(({ name }) => name?.getText() === "code").type.literal.text;

const textOf = (node) => (typescript.getTextOfJSDocComment(node?.comment) ?? "").replaceAll(/\s*\n\s*/g, " ").trim();

/** The page of all errors, which ends with `base`: what the reference says of the class they have in common. */
export function errorPage(base) {
  const rows = errors()
    .sort((one, other) => one.name.localeCompare(other.name))
    .map(({ name, code, meaning, cure }) => `| <a id="${name.toLowerCase()}"></a>\`${name}\`<br>\`${code}\` | ${meaning} | ${cure} |`);
  return `# Errors

Every error that the package throws is a [\`MnemicError\`](#mnemicerror). Branch on its class or its \`code\`; the message is for people and
may change. A call that fails has changed nothing, unless its row says otherwise.

| Class and \`code\` | What went wrong | What to do |
|---|---|---|
${rows.join("\n")}

${base}`;
}
