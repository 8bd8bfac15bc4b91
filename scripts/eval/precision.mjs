/**
 * Whether recall tells what is asked for and nothing else: on sets with questions that nothing answers. A statement that was replaced,
 * or that a question tolerates, counts neither for nor against it.
 */
import { random } from "../random.mjs";
import { say, table } from "../log.mjs";
import { recall, remember, search } from "./memory.mjs";
import { areaUnderCurve, mean, precisionAtRecall, recallAt } from "./metrics.mjs";
import { unrelated } from "./unrelated.mjs";

const COUNT = 20;
/** How much of the evidence that searching finds at all a threshold has to keep. */
const LEAST_RECALL = 0.9;
const SEED = 12;
const UNRELATED = 10_000;

/** Whether a set has questions that nothing answers, which is what this is about. */
export const hasUnanswerable = (set) => set.conversations.some(({ questions }) => questions.some(({ evidence }) => evidence.length === 0));

/** Measures a set: prints its tables, and answers a row of figures for every way of embedding. */
export async function measurePrecision(openMemory, set) {
  const rows = [];
  for (const withVectors of set.vectors === undefined ? [false] : [false, true]) {
    const method = withVectors ? "vectors of the set" : "built-in";
    const asked = await ask(openMemory, set, { withVectors });
    rows.push({ set: set.name, method, category: "all", ...figures(asked) });
    for (const category of new Set(asked.map(({ category }) => category))) {
      rows.push({ set: set.name, method, category, ...figures(asked.filter((answer) => answer.category === category)) });
    }
    // Sets have no vectors of what does not belong to them.
    if (!withVectors && set.conversations.every(({ sessions }) => sessions.size === 0)) {
      const crowded = await ask(openMemory, set, { others: unrelated(UNRELATED, random(SEED)) });
      Object.assign(rows.find((row) => row.method === method), { changedByUnrelated: changed(asked, crowded) });
    }
  }
  say(`\n${shown(set, rows)}`);
  return rows;
}

/** Every question with what recall tells by default, and with what searching finds. */
async function ask(openMemory, set, options) {
  const memory = await remember(openMemory, set, options);
  const asked = [];
  for (const opened of memory.scopes) {
    for (const { category, question, evidence, tolerated = [], original = [] } of opened.conversation.questions) {
      const { hits, known } = await recall(opened, question);
      const found = await search(opened, question, COUNT);
      const allowed = [...tolerated, ...original].filter((id) => !evidence.includes(id));
      asked.push({ category, evidence, tolerated: allowed, told: hits.map(({ id }) => id), found, known });
    }
  }
  await memory.close();
  return asked;
}

function figures(asked) {
  const judged = asked.map((answer) => {
    const told = answer.told.filter((id) => !answer.tolerated.includes(id));
    return { ...answer, told, right: told.filter((id) => answer.evidence.includes(id)).length };
  });
  const [answerable, unanswerable] = [true, false].map((has) => judged.filter(({ evidence }) => evidence.length > 0 === has));
  const total = (count) => judged.reduce((sum, answer) => sum + count(answer), 0);
  const top = (answers) => answers.map(({ found }) => Math.max(0, ...found.map(({ score }) => score)));
  const says = (answers, known) => answers.filter((answer) => answer.known === known).length;
  return {
    questions: judged.length,
    unanswerable: unanswerable.length,
    // Of a question to which recall tells something.
    precision: mean(answerable.filter(({ told }) => told.length > 0).map(({ told, right }) => right / told.length)),
    recall: mean(answerable.map(({ told, evidence }) => recallAt(Infinity, told, evidence))),
    precisionOfAll: total(({ right }) => right) / total(({ told }) => told.length),
    told: mean(judged.map(({ told }) => told.length)),
    toldOfUnanswerable: mean(unanswerable.map(({ told }) => told.length)),
    silent: mean(unanswerable.map(({ told }) => Number(told.length === 0))),
    areaUnderCurve: areaUnderCurve(top(answerable), top(unanswerable)),
    bestThreshold: answerable.length > 0 ? bestThreshold(judged) : undefined,
    ...(judged.some(({ known }) => known !== undefined) && {
      known: { answerable: KNOWN.map((known) => says(answerable, known)), unanswerable: KNOWN.map((known) => says(unanswerable, known)) },
    }),
  };
}

const KNOWN = ["yes", "partly", "no"];

/** What one threshold for all questions could reach. */
function bestThreshold(judged) {
  const answers = judged.map(({ found, evidence, tolerated }) => ({ hits: found, evidence, tolerated }));
  const ids = (hits) => hits.map(({ id }) => id);
  const found = mean(answers.filter(({ evidence }) => evidence.length > 0).map(({ hits, evidence }) => recallAt(COUNT, ids(hits), evidence)));
  return precisionAtRecall(LEAST_RECALL * found, answers);
}

/** To how many questions something else is told. */
function changed(before, after) {
  const told = (answer) => [...answer.told].map(String).sort().join(" ");
  return before.filter((answer, place) => told(answer) !== told(after[place])).length;
}

function shown(set, rows) {
  const number = (value) => (value === undefined || Number.isNaN(value) ? "" : value.toFixed(2));
  const all = rows.filter(({ category }) => category === "all");
  const heading = ["n", "unanswerable", "precision", "recall", "of all told", "told", "told, unanswerable", "silent"];
  const cells = (row) => [
    row.questions, row.unanswerable, number(row.precision), number(row.recall), number(row.precisionOfAll), number(row.told),
    number(row.toldOfUnanswerable), number(row.silent),
  ];
  const best = ({ bestThreshold: found }) => (found ? `precision ${number(found.precision)}, recall ${number(found.recall)} from ${number(found.threshold)}` : "");
  const lines = [
    table([
      [`${set.name}: recall by default`, ...heading, "AUROC", `best threshold for ${LEAST_RECALL} of recall at ${COUNT}`],
      ...all.map((row) => [row.method, ...cells(row), number(row.areaUnderCurve), best(row)]),
    ]),
    table([["of", "embedding", ...heading], ...rows.filter(({ category }) => category !== "all").map((row) => [String(row.category), row.method, ...cells(row)])]),
  ];
  for (const { method, known, changedByUnrelated, questions } of all) {
    if (known) lines.push(`${method}: known ${KNOWN.join(", ")}: ${known.answerable.join(", ")} of the answerable, ${known.unanswerable.join(", ")} of the others`);
    if (changedByUnrelated !== undefined) {
      lines.push(`${method}: ${UNRELATED} unrelated facts change what is told to ${changedByUnrelated} of ${questions} questions (seed ${SEED})`);
    }
  }
  return lines.join("\n\n");
}
