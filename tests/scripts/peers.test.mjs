/** What `npm run bench -- --peers` gives the libraries it compares, how it judges their answers, and how it tells of them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as data from "../../benches/peers/data.mjs";
import { inTurn, median } from "../../benches/peers/rounds.mjs";
import { subjects, taking } from "../../benches/peers/subjects.mjs";
import { measurements, tables, withFigures } from "../../benches/peers/tables.mjs";
import { at } from "../../scripts/project.mjs";

const json = (path) => JSON.parse(readFileSync(at(path), "utf8"));
const described = readFileSync(at("docs/peers.md"), "utf8");
const { dependencies, overrides } = json("benches/peers/package.json");

test("each peer is pinned to one version, and its lock names no registry", () => {
  for (const [name, version] of Object.entries(dependencies)) assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
  assert.equal(overrides["better-sqlite3"], dependencies["better-sqlite3"]);
  const { packages } = json("benches/peers/package-lock.json");
  for (const [name, { resolved, version }] of Object.entries(packages)) {
    assert.equal(resolved, undefined, name);
    const wanted = dependencies[name.replace("node_modules/", "")];
    if (wanted !== undefined) assert.equal(version, wanted, name);
  }
  for (const { name, package: id } of subjects) assert.ok(id === undefined || dependencies[id] !== undefined, `${name} is not pinned`);
});

test("peers come with no other command than theirs", () => {
  const names = Object.keys({ ...json("package.json").dependencies, ...json("package.json").devDependencies });
  // The tests take these, too.
  const shared = ["@langchain/core", "@langchain/langgraph-checkpoint", "@modelcontextprotocol/server-memory", "better-sqlite3", "minisearch"];
  const alone = Object.keys(dependencies).filter((name) => !shared.includes(name));
  assert.deepEqual(alone.filter((name) => names.includes(name)), []);
});

test("every subject says how it was set, what it lacks, and why it is left out where it is", () => {
  for (const subject of subjects) {
    assert.ok(subject.settings.length > 0, subject.name);
    assert.ok(subject.id === "mnemic" || subject.lacks.length > 0, subject.name);
    for (const axis of ["vectors", "words", "memories"]) {
      if (subject[axis]?.most !== undefined) assert.ok(subject[axis].why.length > 0, subject.name);
    }
    assert.ok(described.includes(subject.settings) && described.includes(subject.lacks), `docs/peers.md tells otherwise of ${subject.name}`);
    assert.ok(["vectors", "words", "memories"].some((axis) => subject[axis] !== undefined), subject.name);
  }
  for (const [name, version] of Object.entries(dependencies)) {
    if (subjects.some((subject) => subject.package === name)) assert.ok(described.includes(`(\`${name}\`) | ${version} |`), `docs/peers.md has another version of ${name}`);
  }
  assert.equal(subjects[0].name, "mnemic");
  assert.ok(["node", "page"].every((place) => taking("vectors", place, 100_000)[0].name === "mnemic"));
});

test("the same number is the same item, and a vector has the length 1", () => {
  for (const number of [0, 17, 999]) {
    const { vector, text } = data.vectorItem(number, 1000);
    assert.deepEqual(data.vectorItem(number, 1000).vector, vector);
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5, text);
  }
  assert.equal(new Set(Array.from({ length: 1000 }, (_, number) => data.vectorItem(number, 1000).text)).size, 1000);
  assert.deepEqual(data.wordQuery(3, 1000), data.wordQuery(3, 1000));
});

test("a filter keeps ten of the hundred items of each cluster, and all ten nearest are of the query's cluster", () => {
  const count = 1000;
  const items = Array.from({ length: count }, (_, number) => data.vectorItem(number, count));
  const clusters = count / 100;
  for (let cluster = 0; cluster < clusters; cluster += 1) {
    assert.equal(items.filter(({ number, isKept }) => number % clusters === cluster && isKept).length, 10);
  }
  const query = data.vectorQuery(5, count);
  const [found] = data.nearest([query], items.filter(({ isKept }) => isKept));
  assert.equal(found.length, data.LIMIT);
  assert.equal(new Set(found.map((number) => number % clusters)).size, 1);
});

test("the nearest are those that sorting finds", () => {
  const count = 500;
  const items = Array.from({ length: count }, (_, number) => data.vectorItem(number, count));
  const queries = [0, 1, 2].map((number) => data.vectorQuery(number, count));
  const similarity = ({ vector: a }, { vector: b }) => a.reduce((sum, value, place) => sum + value * b[place], 0);
  const sorted = queries.map((query) => [...items].sort((a, b) => similarity(query, b) - similarity(query, a)).slice(0, data.LIMIT).map(({ number }) => number));
  assert.deepEqual(data.nearest(queries, items), sorted);
});

test("a sentence is asked for by words of it, and a memory by three that stand together", () => {
  for (let number = 0; number < 20; number += 1) {
    const { text, answers } = data.wordQuery(number, 1000);
    const words = data.wordItem(answers[0]).text.split(" ");
    assert.ok(text.split(" ").every((word) => words.includes(word)));
    const rare = data.rareQuery(number, 1000);
    assert.deepEqual(rare.answers, answers);
    assert.ok(rare.text.split(" ").every((word) => words.includes(word)));
    const asked = data.memoryQuery(number, 1000);
    const memory = data.memoryItem(asked.answers[0], 1000);
    assert.ok(memory.text.includes(asked.text));
    assert.deepEqual(memory.vector, asked.vector);
  }
});

test("answers are judged by what is wanted", () => {
  assert.equal(data.recallOf([[1, 2], [3]], [[1, 2], [3, 4]]), 0.75);
  assert.equal(data.hitsOf([[1, 2], [3]], [[2, 9], [4]]), 0.5);
});

test("works have their turn in every round, and one that fails is left out", async () => {
  const told = [];
  const work = (name, times) => async () => {
    told.push(name);
    return { time: times.shift(), answers: [[1]] };
  };
  const failing = async () => {
    told.push("c");
    throw new Error("gone");
  };
  const figures = await inTurn(3, [work("a", [5, 1, 3]), work("b", [2, 2, 9]), failing]);
  assert.deepEqual(told, ["a", "b", "c", "b", "a", "a", "b"]);
  assert.deepEqual(figures, [{ time: 3, answers: [[1]] }, { time: 2, answers: [[1]] }, { error: "gone" }]);
  assert.equal(median([4, 1, 3, 2]), 2);

  told.length = 0;
  const [once, thrice] = await inTurn(3, [work("a", [50, 1]), work("b", [2, 1, 3])], 9);
  assert.deepEqual([told.join(""), once.time, thrice.time], ["abbb", 50, 2]);
});

const row = (subject, figures) => ({ axis: "vectors", place: "node", count: 1000, subject, ...figures });

test("who is measured only so far is left out beyond", () => {
  const names = (place, count) => taking("vectors", place, count).map(({ id }) => id);
  assert.ok(names("page", 10_000).includes("entity-db") && !names("page", 100_000).includes("entity-db"));
  assert.ok(names("page", 1000).includes("hnswlib") && !names("node", 1000).includes("hnswlib"));
  assert.ok(!names("page", 1000).includes("langgraph"));
});

test("the best peer is the fastest that answers well", () => {
  const rows = [
    row("mnemic", { search: 1, recall: 1 }),
    row("wrong", { search: 0.1, recall: 0.5 }),
    row("slow", { search: 9, recall: 1 }),
    row("good", { search: 2, recall: 0.995 }),
    { ...row("elsewhere", { search: 0.1, recall: 1 }), place: "page" },
    row("broken", { search: "fails" }),
  ];
  assert.deepEqual(measurements(rows, "mnemic"), [
    { name: "vectors, Node, 1k: query", value: 1, unit: "ms", peer: { name: "good", value: 2 } },
  ]);
});

test("where nobody answers well, a peer counts that answers as well", () => {
  const words = (subject, figures) => ({ axis: "words", place: "node", count: 2760, isEnglish: true, subject, ...figures });
  const [{ peer }] = measurements([words("mnemic", { search: 1, hits: 0.7 }), words("fast", { search: 0.1, hits: 0.4 }), words("as good", { search: 3, hits: 0.7 })], "mnemic");
  assert.deepEqual(peer, { name: "as good", value: 3 });
});

test("tables have a row for each subject, with the quality beside the time, and say what failed", () => {
  const text = tables([
    row("mnemic", { search: 0.4321, recall: 0.9975, build: 1234, memory: 5.3 }),
    row("other", { search: "fails", build: 9 }),
    { axis: "size", subject: "mnemic", scripts: 56_700, wasm: 0 },
  ]);
  assert.equal(
    text,
    [
      "### Vectors in Node",
      "",
      "| items |  | query, ms (recall@10) | a tenth wanted, ms (recall@10) | build, s | memory, MiB |",
      "| --- | --- | --- | --- | --- | --- |",
      "| 1k | mnemic | 0.43 (.998) |  | 1.2 | 5.3 |",
      "|  | other | fails |  | 0.009 |  |",
      "",
      "### Weight of a page",
      "",
      "|  | scripts, kB | WebAssembly, kB |",
      "| --- | --- | --- |",
      "| mnemic | 57 |  |",
    ].join("\n"),
  );
});

test("figures take the place of older ones in the document, and nothing else changes", () => {
  const once = withFigures(described, "### New\n\nfigures");
  assert.ok(once.includes("\n\n### New\n\nfigures\n\n<!--"));
  const [begin, end] = [described.indexOf("<!-- What"), described.indexOf("<!-- Up to")];
  assert.equal(once.slice(0, begin), described.slice(0, begin));
  assert.ok(once.endsWith(described.slice(end)) && end > begin);
  assert.equal(withFigures(once, "### New\n\nfigures"), once);
  assert.throws(() => withFigures("no lines", "figures"));
});
