/** Sentences that people wrote and the questions about them, of a folder as scripts/eval/set.mjs describes it. */
import { readSet } from "../../scripts/eval/set.mjs";

/** The turns of all conversations as items, and the questions that some of them answer as queries. */
export function readEnglish(folder) {
  const turns = [];
  const questions = [];
  for (const { sessions, questions: asked } of readSet(folder).conversations) {
    const numbers = new Map();
    for (const { id, text } of [...sessions.values()].flat()) {
      numbers.set(id, turns.length);
      turns.push({ number: turns.length, text });
    }
    for (const { question, evidence } of asked) {
      const answers = evidence.map((id) => numbers.get(id)).filter((number) => number !== undefined);
      if (answers.length > 0) questions.push({ text: question, answers });
    }
  }
  return { count: turns.length, item: (number) => turns[number], query: (number) => questions[(number * 7919) % questions.length] };
}
