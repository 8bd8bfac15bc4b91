/** Where the model sits: prompts go out as files, answers come back from files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A desk for one run; prompts are numbered in the order they are asked. */
export class Desk {
  /** The files that were written. */
  prompts = [];
  /** The answer file that is missing; nothing is answered after it. */
  waits;
  /** The name of the last prompt. */
  last;

  /**
   * @param {string} out where prompts are written
   * @param {string | undefined} answers where answers are read; without it every prompt is answered that there is nothing to keep
   */
  constructor(out, answers) {
    this.out = out;
    this.answers = answers;
    mkdirSync(out, { recursive: true });
  }

  /** Whether a prompt of this purpose was written. */
  has(purpose) {
    return this.prompts.some((path) => path.endsWith(`-${purpose}.md`));
  }

  /** Writes the prompt; answers what the file of its name says. */
  answer({ purpose, prompt, messages, schema, maxTokens }) {
    if (this.waits) throw new Error(`waits for ${this.waits}`);
    this.last = `${String(this.prompts.length + 1).padStart(3, "0")}-${purpose}`;
    const path = join(this.out, `${this.last}.md`);
    const parts = messages.map(({ role, content }) => `# ${role}\n\n${content}`);
    const form = `# form of the answer\n\n${prompt}, at most ${maxTokens} tokens:\n\n${JSON.stringify(schema ?? "text")}`;
    writeFileSync(path, `${[...parts, form].join("\n\n")}\n`);
    this.prompts.push(path);
    if (this.answers === undefined) return schema ? least(schema) : "-";
    const file = join(this.answers, `${this.last}.json`);
    if (existsSync(file)) return readFileSync(file, "utf8");
    this.waits = file;
    throw new Error(`waits for ${file}`);
  }
}

/** The least value that a schema of an answer allows. */
function least(schema) {
  if (schema?.enum) return schema.enum[0];
  const type = Array.isArray(schema?.type) ? schema.type.at(-1) : schema?.type;
  if (type === "object") {
    return Object.fromEntries((schema.required ?? []).map((name) => [name, least(schema.properties[name])]));
  }
  return { array: [], string: "-", integer: schema?.minimum ?? 0, number: 0, boolean: false }[type] ?? null;
}
