/** `npm run prompts`, on a conversation of the fixtures: prompts out, answers in, the memory that results. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const root = resolve(import.meta.dirname, "../..");
const english = join(root, "tests/fixtures/conversations/english.json");
const recorded = JSON.parse(readFileSync(join(root, "tests/fixtures/recordings/english/1-typical.json"), "utf8"));

function prompts(...args) {
  const script = join(root, "scripts/prompts.mjs");
  return JSON.parse(execFileSync(process.execPath, [script, "--json", "--conversation", english, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }));
}

/** The words of a prompt that are the same whatever is said and known: its system's part without the app's fields, and its template. */
function constant(purpose, text) {
  const [, system] = /^# system\n\n([^]*?)\n\n# user\n/.exec(text);
  const own = system.split("\n").filter((line) => !line.startsWith('{"schema"'));
  const template = readFileSync(join(root, `src/memory/asking/prompts/${purpose}.user.md`), "utf8");
  return [own.join("\n"), template.replaceAll(/\{\{\w+\}\}/g, "")];
}

test("every prompt is rendered, and answers lead to a memory", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "mnemic-prompts-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const out = join(folder, "out");
  const all = prompts("--out", out);
  assert.equal(all.waits, null);
  const names = readdirSync(out).sort();
  assert.deepEqual(names.map((name) => name.replace(/^\d+-/, "")), [
    "extract.md", "extract.md", "extract.md", "consolidate.md", "episode.md",
    "tier.md", "tier.md", "distil.md", "tier.md", "tier.md", "distil.md", "respond.md", // an answer without pages is asked for anew
    "revise.md", "memory.json", "memory.md",
  ]);
  for (const path of all.prompts) {
    const text = readFileSync(path, "utf8");
    assert.match(text, /^# system\n\n\w[^]*\n# user\n\n[^]*\n# form of the answer\n\n\w+-\d, at most \d+ tokens/);
    assert.doesNotMatch(text, /\{\{\w+\}\}/, path);
    const [, purpose] = /-(\w+)\.md$/.exec(path);
    if (purpose === "respond") continue; // what is remembered is in its system's part
    const tokens = constant(purpose, text).reduce((sum, part) => sum + countTokens(part), 0);
    assert.ok(tokens <= 900, `what ${purpose} says every time has ${tokens} tokens`);
  }

  const answers = join(folder, "answers");
  mkdirSync(answers);
  writeFileSync(join(answers, "001-extract.json"), JSON.stringify(recorded.answer));
  const first = prompts("--out", join(folder, "first"), "--answers", answers);
  assert.equal(first.waits, join(answers, "002-extract.json"));
  assert.match(readFileSync(first.prompts[1], "utf8"), /"fact":"The user loves coffee\."/);
  const memory = JSON.parse(readFileSync(join(folder, "first/memory.json"), "utf8"));
  assert.equal(memory.facts.length, recorded.answer.facts.length);
  assert.ok(memory.graph.entities.some(({ name }) => name === "Emil"));
  assert.match(readFileSync(join(folder, "first/memory.md"), "utf8"), /# Relations\n\n- User is_parent_of Emil/);
});

test("what cannot be used is said", () => {
  const run = (...args) => execFileSync(process.execPath, [join(root, "scripts/prompts.mjs"), ...args], { encoding: "utf8", stdio: "pipe" });
  assert.throws(() => run(), /--out is missing\nusage: npm run prompts/);
  assert.throws(() => run("--out", tmpdir(), "--nonsense"), /usage: npm run prompts/);
});
