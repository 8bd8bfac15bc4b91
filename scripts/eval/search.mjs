/** How well searching finds the memories that answer, beside plain methods and beside what the notes of known sets give. */
import { say, table } from "../log.mjs";
import { baselines, best } from "./baselines.mjs";
import { remember, search } from "./memory.mjs";
import { gainAt, isUpdatedAbove, mean, recallAt } from "./metrics.mjs";
import { published } from "./published.mjs";

const COUNT = 20;

/** Categories that are shown, but not part of "all": LoCoMo's adversarial questions, and BEAM's summaries of a whole conversation. */
const APART = new Set([5, "summarization"]);

/** Questions with evidence, of all conversations of a set. */
const answerable = (set) => set.conversations.flatMap(({ questions }) => questions.filter(({ evidence }) => evidence.length > 0));

/** Measures a set: prints its tables, and answers a row of figures for every method and category. */
export async function measureSearch(openMemory, set) {
  const methods = new Map();
  for (const withVectors of set.vectors === undefined ? [false] : [false, true]) {
    methods.set(withVectors ? "words + vectors of the set" : "words + built-in", await engineRankings(openMemory, set, withVectors));
  }
  for (const [name, method] of Object.entries(baselines(set))) methods.set(name, plainRankings(set, method));
  const questions = answerable(set);
  const rows = [];
  const categories = [...new Set(questions.map(({ category }) => category))].sort();
  for (const [method, rankings] of methods) {
    rows.push({ set: set.name, method, category: "all", ...figures(questions.filter(({ category }) => !APART.has(category)), rankings) });
    for (const category of categories) {
      rows.push({ set: set.name, method, category, ...figures(questions.filter((question) => question.category === category), rankings) });
    }
  }
  say(`\n${shown(set, rows, categories)}`);
  return rows;
}

/** The ids that the engine finds, by question. */
async function engineRankings(openMemory, set, withVectors) {
  const memory = await remember(openMemory, set, { withVectors });
  const rankings = new Map();
  for (const opened of memory.scopes) {
    for (const { qid, question, evidence } of opened.conversation.questions) {
      if (evidence.length > 0) rankings.set(qid, (await search(opened, question, COUNT)).map(({ id }) => id));
    }
  }
  await memory.close();
  return rankings;
}

function plainRankings(set, method) {
  const rankings = new Map();
  for (const { facts, sessions, questions } of set.conversations) {
    const memories = [...facts, ...[...sessions.values()].flat()];
    const score = method(memories);
    for (const { qid, question } of questions) rankings.set(qid, best(memories, score(question), COUNT).map(({ id }) => id));
  }
  return rankings;
}

function figures(questions, rankings) {
  const over = (measure) => mean(questions.map((question) => measure(rankings.get(question.qid), question.evidence)));
  const pairs = questions.filter(({ updated, original }) => updated && original);
  return {
    questions: questions.length,
    "R@5": over((ids, evidence) => recallAt(5, ids, evidence)),
    "R@10": over((ids, evidence) => recallAt(10, ids, evidence)),
    "nDCG@10": over((ids, evidence) => gainAt(10, ids, evidence)),
    pairs: pairs.length,
    updatedAbove: pairs.filter(({ qid, updated, original }) => isUpdatedAbove(rankings.get(qid), updated, original)).length,
  };
}

const METRICS = ["R@5", "R@10", "nDCG@10"];

/** A table of all methods, and one of all categories. */
function shown(set, rows, categories) {
  const number = (value) => (value === undefined ? "" : value.toFixed(3));
  const all = rows.filter(({ category }) => category === "all");
  const hasPairs = all.some(({ pairs }) => pairs > 0);
  const notes = published(set.name, all[0].questions).map(([name, ...values]) => [name, ...METRICS.map((_, column) => number(values[column])), ...(hasPairs ? [""] : [])]);
  const whole = table([
    [`${set.name} (${all[0].questions} questions)`, ...METRICS, ...(hasPairs ? ["updated above"] : [])],
    ...all.map((row) => [row.method, ...METRICS.map((metric) => number(row[metric])), ...(hasPairs ? [`${row.updatedAbove} of ${row.pairs}`] : [])]),
    ...notes,
  ]);
  const byCategory = categories.map((category) => {
    const ofCategory = rows.filter((row) => row.category === category);
    return [String(category), ofCategory[0].questions, ...ofCategory.map((row) => number(row["R@10"]))];
  });
  return `${whole}\n\n${table([["R@10 of", "n", ...all.map(({ method }) => method)], ...byCategory])}`;
}
