/**
 * Sets of others, read from the folder that `MNEMIC_SHARED` names, or from `shared` beside the repository: their licences keep them
 * out of it. `locomo/` has conversations of LoCoMo (Maharana et al., "Evaluating Very Long-Term Conversational Memory of LLM Agents",
 * ACL 2024; CC BY-NC 4.0), and `bench/` further ones.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const shared = process.env.MNEMIC_SHARED ?? resolve(import.meta.dirname, "../../../shared");

/** The `folder` of LoCoMo; when it is absent, what is `missing`. */
export function dataset() {
  const folder = join(shared, "locomo");
  if (existsSync(join(folder, "turns.jsonl"))) return { folder };
  return { missing: `no LoCoMo dataset in ${folder}; set MNEMIC_SHARED to the folder that holds locomo/` };
}

/** The folders with sets of others; when one is absent, what is `missing`. */
export function sharedSets() {
  const [folders, absent] = [true, false].map((isThere) => ["locomo", "bench"].map((name) => join(shared, name)).filter((folder) => existsSync(folder) === isThere));
  return { folders, ...(absent.length > 0 && { missing: `no ${absent.join(", no ")}; set MNEMIC_SHARED to the folder that holds them` }) };
}
