/**
 * LoCoMo conversations (Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents", ACL 2024), read from
 * the folder that `MNEMIC_SHARED` names, or from `shared` beside the repository. Their licence is CC BY-NC 4.0: none of their
 * text is part of the repository.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const DIMENSIONS = 384;

/** The dataset's `folder`; when it is absent, what is `missing`. */
export function dataset() {
  const shared = process.env.MNEMIC_SHARED ?? resolve(import.meta.dirname, "../../../shared");
  const folder = join(shared, "locomo");
  if (existsSync(join(folder, "turns.jsonl"))) return { folder };
  return { missing: `no LoCoMo dataset in ${folder}; set MNEMIC_SHARED to the folder that holds locomo/` };
}

const lines = (folder, name) => readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));

/** Every conversation: its sessions, by number, with their turns, and its questions. */
export function conversations(folder) {
  const questions = grouped(lines(folder, "questions.jsonl"), "conv");
  return Array.from(grouped(lines(folder, "turns.jsonl"), "conv"), ([conv, turns]) => ({
    conv,
    sessions: grouped(turns, "session"),
    questions: questions.get(conv) ?? [],
  }));
}

function grouped(items, name) {
  const groups = new Map();
  for (const item of items) groups.set(item[name], [...(groups.get(item[name]) ?? []), item]);
  return groups;
}

/** The vectors that come with the dataset, by text. */
export function vectors(folder) {
  const found = new Map();
  for (const [name, text] of [["turns", "text"], ["questions", "question"]]) {
    const halves = readFileSync(join(folder, `${name}.f16`));
    lines(folder, `${name}.jsonl`).forEach((line, row) => {
      const at = (column) => half(halves.readUInt16LE(2 * (row * DIMENSIONS + column)));
      found.set(line[text], Float32Array.from({ length: DIMENSIONS }, (_, column) => at(column)));
    });
  }
  return found;
}

/** An IEEE half as a number. */
function half(bits) {
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  const size = exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15);
  return bits >> 15 === 1 ? -size : size;
}
