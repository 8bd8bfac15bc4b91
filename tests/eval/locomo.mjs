/**
 * How well `threads.search` finds the turns that answer a question, on the tuning half of LoCoMo (Maharana et al., ACL 2024),
 * by the built package in Node. The dataset's licence is CC BY-NC 4.0, so it is read from beside the repository.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { createProject } from "../package/support/project.mjs";
import { say, table } from "../../scripts/log.mjs";
import { conversations, dataset, vectors } from "../support/locomo.mjs";

/** The metrics that are reported, of questions of categories 1 to 4. */
const METRICS = ["R@5", "R@10", "nDCG@10"];

/** What the dataset's notes give for the same questions: methods that see all turns at once, outside of any engine. */
const BASELINES = [
  ["baseline: BM25 with stop words and Porter", 0.536, 0.619, 0.485],
  ["baseline: min-max sum of BM25 and MiniLM", 0.58, 0.672, 0.521],
  ["baseline: the same, vectors centred", 0.597, 0.698, 0.543],
];

export async function measure() {
  const { folder, missing } = dataset();
  if (folder === undefined) {
    say(`skipped: ${missing}`);
    return [];
  }
  const project = await createProject();
  try {
    const { openMemory } = await import(pathToFileURL(project.path("node_modules/mnemic/entry/node.js")).href);
    const given = vectors(folder);
    const embedders = {
      "words + MiniLM": { id: "all-MiniLM-L6-v2", embed: (texts) => texts.map((text) => given.get(text)) },
      "words + built-in": undefined,
    };
    const measurements = [];
    const rows = [];
    for (const [name, embed] of Object.entries(embedders)) {
      const start = performance.now();
      const rankings = await rank(openMemory, folder, embed);
      const scores = score(folder, project.path("rankings.jsonl"), rankings);
      rows.push([name, ...METRICS.map((metric) => scores[metric])]);
      measurements.push(...METRICS.map((metric) => ({ name: `${name}: ${metric}`, value: scores[metric], unit: "" })));
      measurements.push({ name: `${name}: remembering and asking`, value: (performance.now() - start) / 1000, unit: "s" });
    }
    const shown = [...rows, ...BASELINES].map(([name, ...scores]) => [name, ...scores.map((value) => value.toFixed(3))]);
    say(table([["search", ...METRICS], ...shown]));
    return measurements;
  } finally {
    await project.remove();
  }
}

/** The turns found for each question, best first. Every conversation is a scope, every session of it a thread. */
async function rank(openMemory, folder, embed) {
  const memory = await openMemory({ name: "locomo", storage: "memory", extraction: { auto: false }, ...(embed && { embed }) });
  const rankings = [];
  for (const { conv, sessions, questions } of conversations(folder)) {
    const scope = memory.scope({ conversation: conv });
    for (const [session, turns] of sessions) {
      const messages = turns.map(({ id, text, date_time }) => ({ id, role: "user", content: text, createdAt: Date.parse(`${date_time}Z`) }));
      await scope.remember(messages, { threadId: `session-${session}` });
    }
    await memory.idle();
    for (const { qid, question } of questions) {
      const found = await scope.threads.search(question, { limit: 20 });
      rankings.push({ qid, ids: found.map(({ messageId }) => messageId) });
    }
  }
  const { unembedded } = await memory.usage();
  if (unembedded > 0) throw new Error(`${unembedded} turns were searched without a vector`);
  await memory.close();
  return rankings;
}

/** Scores rankings with the dataset's own program. */
function score(folder, path, rankings) {
  writeFileSync(path, rankings.map((ranking) => JSON.stringify(ranking)).join("\n"));
  const printed = execFileSync(process.execPath, [join(folder, "score.mjs"), join(folder, "questions.jsonl"), path, "--json"], { encoding: "utf8" });
  const { missing, groups } = JSON.parse(printed);
  if (missing > 0) throw new Error(`${missing} questions were not asked`);
  return groups.all;
}
