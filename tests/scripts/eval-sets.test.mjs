/** The sets of tests/eval hold what their README promises. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { readSet, setsIn } from "../../scripts/eval/set.mjs";
import { at } from "../../scripts/project.mjs";

/** What the README of the sets promises: least numbers of memories, of questions, and the share of those that nothing answers. */
const PROMISED = {
  apart: { memories: 130, questions: 140, unanswerable: 1 / 3, pairs: 14 },
  "apart-cjk": { memories: 110, questions: 60, unanswerable: 1 / 3 },
  chinese: { memories: 200, questions: 90, unanswerable: 1 / 4 },
  daily: { memories: 220, questions: 210, unanswerable: 3 / 10, pairs: 20 },
  household: { memories: 200, questions: 150, unanswerable: 1 / 3, pairs: 20 },
  "household-cjk": { memories: 180, questions: 150, unanswerable: 0.3, pairs: 18 },
  japanese: { memories: 200, questions: 90, unanswerable: 1 / 4 },
  korean: { memories: 200, questions: 90, unanswerable: 1 / 4 },
  newcomer: { memories: 130, questions: 150, unanswerable: 0.19, pairs: 14 },
  phrasing: { memories: 240, questions: 300, unanswerable: 1 / 5 },
  precision: { memories: 220, questions: 130, unanswerable: 1 / 3, pairs: 20 },
  reworded: { memories: 130, questions: 140, unanswerable: 0.17, pairs: 12 },
  typed: { memories: 160, questions: 100, unanswerable: 0.3 },
  "typed-cjk": { memories: 150, questions: 100, unanswerable: 0.3 },
};

const everyMemory = ({ facts, sessions }) => [...facts, ...[...sessions.values()].flat()];

const sets = setsIn(at("tests/eval")).map((folder) => ({ folder, ...readSet(folder) }));

test("every set is promised", () => {
  assert.deepEqual(sets.map(({ name }) => name), Object.keys(PROMISED).sort());
});

for (const { folder, name, conversations } of sets) {
  const [memories, questions] = [conversations.flatMap(everyMemory), conversations.flatMap(({ questions }) => questions)];

  test(`${name} has as many memories and questions as promised`, () => {
    const { memories: leastMemories, questions: leastQuestions, unanswerable: share, pairs = 0 } = PROMISED[name];
    const unanswerable = questions.filter(({ evidence }) => evidence.length === 0).length;
    const replaced = questions.filter(({ updated, original }) => updated?.length > 0 && original?.length > 0).length;
    assert.ok(memories.length >= leastMemories, `${memories.length} memories`);
    assert.ok(questions.length >= leastQuestions, `${questions.length} questions`);
    assert.ok(unanswerable >= share * questions.length, `${unanswerable} of ${questions.length} are unanswerable`);
    assert.ok(replaced >= pairs, `${replaced} pairs`);
  });

  test(`${name} is whole: no id or text twice, every id is there`, () => {
    const twice = (values) => values.filter((value, place) => values.indexOf(value) !== place);
    assert.deepEqual(twice(questions.map(({ qid }) => qid)), []);
    assert.deepEqual(twice(questions.map(({ conv, question }) => `${conv}: ${question}`)), []);
    for (const conversation of conversations) {
      const held = everyMemory(conversation);
      assert.deepEqual(twice(held.map(({ id }) => id)), []);
      assert.deepEqual(twice(held.map(({ text }) => text)), []);
      const ids = new Set(held.map(({ id }) => id));
      for (const { qid, evidence, updated = [], original = [], tolerated = [] } of conversation.questions) {
        const named = [...evidence, ...original, ...tolerated];
        assert.deepEqual(named.filter((id) => !ids.has(id)), [], `${qid} names what is not there`);
        assert.deepEqual(twice(named), [], `${qid} names something twice`);
        assert.deepEqual(updated.filter((id) => !evidence.includes(id)), [], `${qid}: what is updated does not answer`);
        assert.equal(updated.length > 0, original.length > 0, `${qid} has half a pair`);
      }
    }
    const asked = new Set(conversations.map(({ conv }) => conv));
    const lines = readFileSync(`${folder}/questions.jsonl`, "utf8").trim().split("\n").map((line) => JSON.parse(line));
    assert.ok(lines.every(({ conv }) => asked.has(conv)), "a question belongs to no conversation");
  });

  test(`${name} keeps to the form: fields, dates, texts`, () => {
    for (const { id, kind, date_time: time, text, session, speaker } of memories) {
      assert.ok(typeof text === "string" && text === text.trim() && text.length > 0 && text === text.normalize("NFC"), `${id}: ${text}`);
      assert.match(time, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d$/, id);
      assert.ok(Number.isFinite(Date.parse(`${time}Z`)), `${id}: ${time}`);
      if (kind === "fact") assert.equal(session ?? speaker, undefined, `${id} is a fact`);
      else assert.ok(Number.isInteger(session) && ["user", "assistant"].includes(speaker), `${id} is no turn`);
    }
    for (const conversation of conversations) {
      const dateOf = new Map(everyMemory(conversation).map(({ id, date_time: time }) => [id, time]));
      for (const { qid, updated = [], original = [] } of conversation.questions) {
        assert.ok(original.every((old) => updated.every((id) => dateOf.get(id) > dateOf.get(old))), `${qid}: what replaces is not newer`);
      }
    }
    for (const { qid, category, evidence } of questions) {
      assert.ok(typeof category === "string" && category !== "all", qid);
      const alike = questions.filter((other) => other.category === category);
      assert.ok(alike.every((other) => (other.evidence.length > 0) === (evidence.length > 0)), `${category} has answerable questions and others`);
    }
  });

  test(`${name}: vectors, if any, are one for each line`, () => {
    for (const [vectors, lines] of [["turns.f16", memories.length], ["questions.f16", questions.length]]) {
      if (existsSync(`${folder}/${vectors}`)) assert.equal(statSync(`${folder}/${vectors}`).size, lines * 384 * 2);
    }
  });
}

test("paraphrases share no word with what answers, and are a fifth of the precision set", () => {
  const [{ facts, questions }] = sets.find(({ name }) => name === "precision").conversations;
  const empty = new Set("about after away been before does down each from have her his into like made many much must only other that their them they this what when where which while whom will with would your should could make take".split(" "));
  const names = new Set("nora castellan whitfield tom okafor ingrid daniel reyes priya raman lucas helen marsh user".split(" "));
  const stems = (text) => new Set(text.toLowerCase().replaceAll("'s", "").split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 3 && !empty.has(word) && !names.has(word)).map((word) => word.slice(0, 4)));
  const textOf = new Map(facts.map(({ id, text }) => [id, text]));
  const paraphrases = questions.filter(({ category }) => category === "paraphrase");
  for (const { qid, question, evidence } of paraphrases) {
    const asked = stems(question);
    const shared = evidence.flatMap((id) => [...stems(textOf.get(id))]).filter((stem) => asked.has(stem));
    assert.deepEqual(shared, [], `${qid}: ${question}`);
  }
  assert.ok(paraphrases.length >= 0.2 * questions.length, `${paraphrases.length} of ${questions.length}`);
  const typos = questions.filter(({ category }) => category === "typo").length;
  assert.ok(typos >= 0.05 * questions.length, `${typos} typos`);
});
