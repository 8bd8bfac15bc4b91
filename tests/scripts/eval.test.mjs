import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { baselines, best } from "../../scripts/eval/baselines.mjs";
import { areaUnderCurve, gainAt, isUpdatedAbove, precisionAtRecall, recallAt } from "../../scripts/eval/metrics.mjs";
import { setsIn } from "../../scripts/eval/set.mjs";
import { unrelated } from "../../scripts/eval/unrelated.mjs";
import { Missing } from "../../scripts/missing.mjs";
import { at } from "../../scripts/project.mjs";
import { random } from "../../scripts/random.mjs";

test("recall counts the evidence among the first, and repeated ids once", () => {
  assert.equal(recallAt(2, ["a", "b", "c"], ["a", "c"]), 0.5);
  assert.equal(recallAt(2, ["a", "a", "c"], ["a", "c"]), 1);
  assert.equal(recallAt(5, [], ["a"]), 0);
});

test("gain is 1 for the best order, and less the later evidence comes", () => {
  assert.equal(gainAt(10, ["a", "b"], ["b", "a"]), 1);
  assert.equal(gainAt(10, ["x", "a"], ["a"]), 1 / Math.log2(3));
  assert.equal(gainAt(1, ["x", "a"], ["a"]), 0);
});

test("what is updated stands above when it comes first or alone", () => {
  assert.equal(isUpdatedAbove(["new", "old"], ["new"], ["old"]), true);
  assert.equal(isUpdatedAbove(["x", "new"], ["new"], ["old"]), true);
  assert.equal(isUpdatedAbove(["old", "new"], ["new"], ["old"]), false);
  assert.equal(isUpdatedAbove(["x"], ["new"], ["old"]), false);
});

test("the area under the curve is the chance that a positive is the greater one", () => {
  assert.equal(areaUnderCurve([3, 4], [1, 2]), 1);
  assert.equal(areaUnderCurve([1], [1, 2]), 0.25);
  assert.equal(areaUnderCurve([], [1]), undefined);
});

test("precision at a recall is that of the best threshold which keeps enough", () => {
  const answers = [
    { evidence: ["a"], tolerated: ["t"], hits: [{ id: "a", score: 0.9 }, { id: "t", score: 0.8 }, { id: "x", score: 0.3 }] },
    { evidence: ["b"], tolerated: [], hits: [{ id: "y", score: 0.7 }, { id: "b", score: 0.5 }] },
    { evidence: [], tolerated: [], hits: [{ id: undefined, score: 0.4 }] },
  ];
  assert.deepEqual(precisionAtRecall(0.5, answers), { threshold: 0.9, precision: 1, recall: 0.5 });
  assert.deepEqual(precisionAtRecall(0.9, answers), { threshold: 0.5, precision: 2 / 3, recall: 1 });
  assert.equal(precisionAtRecall(1.1, answers), undefined);
});

test("BM25 finds the rarer word first, and pairs of characters where words are not separated", () => {
  const memories = [{ id: "1", text: "the cat sat" }, { id: "2", text: "the dog sat" }, { id: "3", text: "친구가 부산에 살아요" }, { id: "4", text: "東京の大学に通う" }];
  const ranked = (question) => best(memories, baselines({})["baseline: BM25, all words"](memories)(question), 10).map(({ id }) => id);
  assert.deepEqual(ranked("the dog"), ["2", "1"]);
  assert.deepEqual(ranked("부산에서 뭐 해?"), ["3"]);
  assert.deepEqual(ranked("どこの大学?"), ["4"]);
  assert.deepEqual(ranked("nothing"), []);
});

test("unrelated facts differ, and are the same for the same seed", () => {
  const [some, same] = [1, 1].map((seed) => unrelated(2000, random(seed)).map(({ text }) => text));
  assert.deepEqual(some, same);
  assert.equal(new Set(some).size, some.length);
});

test("a folder without sets is missing", () => {
  assert.throws(() => setsIn(at("tests/scripts")), Missing);
});

test("a set is measured with the built package, and told as JSON", () => {
  const args = [at("scripts/eval.mjs"), "--data", at("tests/eval"), "--only", "korean", "--package", at("pkg"), "--json"];
  const { search, precision } = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  assert.deepEqual([...new Set(search.map(({ method }) => method))], ["words + built-in", "baseline: BM25, all words"]);
  const [{ questions, pairs, "R@10": recall }] = search;
  const [{ questions: asked, unanswerable, recall: told }] = precision;
  assert.equal(questions + unanswerable, asked);
  assert.ok(pairs > 0 && recall > 0 && told > 0);
});
