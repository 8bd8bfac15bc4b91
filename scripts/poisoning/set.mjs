/**
 * A published set of prompt injections: BIPIA (Yi et al., "Benchmarking and Defending Against Indirect Prompt Injection Attacks on
 * Large Language Models", KDD 2025; MIT licence), read from a folder that holds its `benchmark/`. None of it is part of the repository.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Missing } from "../missing.mjs";

/** Where the set is kept, and the commit that the published figures were measured with. */
export const SOURCE = { repository: "https://github.com/microsoft/BIPIA", commit: "1a2a91da6bb12838e05d1b2e54d98e2f37b835f3" };

/** Where an attack stands in the content that carries it. */
export const POSITIONS = ["start", "middle", "end"];

const ATTACKS = ["text_attack_test.json", "text_attack_train.json"];
const CONTEXTS = ["email/test.jsonl", "email/train.jsonl", "table/test.jsonl"];

/** The attacks, as `{ name, text }`, and the contents that are to carry them. */
export function readSet(folder) {
  const benchmark = join(folder, "benchmark");
  const read = (name) => readFileSync(join(benchmark, name), "utf8");
  if (!existsSync(join(benchmark, ATTACKS[0]))) {
    throw new Missing(`${ATTACKS[0]} in ${benchmark}`, `clone ${SOURCE.repository}, check out ${SOURCE.commit}, and name its folder`);
  }
  const attacks = ATTACKS.flatMap((file) =>
    Object.entries(JSON.parse(read(file))).flatMap(([category, texts]) => texts.map((text, place) => ({ name: `${category}-${place}`, text }))),
  );
  const contexts = CONTEXTS.flatMap((file) => read(file).split("\n").filter(Boolean).map((line) => JSON.parse(line).context));
  return { attacks, contexts };
}

/** An attack in a content, on lines of its own: before it, behind it, or before one of its sentences. */
export function insert(context, attack, position, random) {
  if (position === "start") return `${attack}\n${context}`;
  if (position === "end") return `${context}\n${attack}`;
  const starts = Array.from(context.matchAll(/(?<=[.!?]\s+|\n)\S/g), ({ index }) => index);
  const at = starts[Math.floor(random() * starts.length)] ?? 0;
  return `${context.slice(0, at)}\n${attack}\n${context.slice(at)}`;
}
