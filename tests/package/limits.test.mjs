/** The limits in the README are those of the source. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./support/tarball.mjs";

/** The rows of the README's table, and the constant each comes from. */
const LIMITS = {
  "Name of a memory": "pkg-template/src/configuration.ts name",
  "Pairs of a scope": "src/scope.rs MAX_SCOPE_PAIRS",
  "Key of a scope": "src/scope.rs MAX_SCOPE_KEY_CHARACTERS",
  "Value of a scope": "src/scope.rs MAX_SCOPE_VALUE_CHARACTERS",
  "Messages in one `remember`": "src/memory/terms/message.rs MAX_MESSAGES",
  "Content of a message": "src/memory/terms/message.rs MAX_CONTENT_BYTES",
  "Part of a message that a model learns from": "src/memory/learning/extract/prompt.rs MESSAGE_CHARACTERS",
  "Part of a message that the rules read": "src/memory/learning/rules/prose.rs MAX_BYTES",
  "Id of a thread": "src/memory/terms/message.rs MAX_THREAD_ID_BYTES",
  "Id of a message": "src/memory/terms/message.rs MAX_MESSAGE_ID_BYTES",
  "Text of a fact": "src/memory/keeping/facts/mod.rs MAX_FACT_BYTES",
  "Sources of a fact or field": "src/memory/terms/source.rs MAX_SOURCES",
  "Facts in one `facts.import`": "src/memory/keeping/facts/import.rs MAX_IMPORT",
  "Source id of a fact": "src/memory/keeping/facts/add.rs MAX_SOURCE_ID_BYTES",
  "Text of an instruction": "src/memory/keeping/instructions/mod.rs MAX_INSTRUCTION_BYTES",
  "Name of an instruction": "src/memory/keeping/instructions/mod.rs MAX_NAME_BYTES",
  "Feedback on an instruction": "src/memory/keeping/instructions/revise.rs MAX_FEEDBACK_BYTES",
  "Part of an episode": "src/memory/keeping/episodes/mod.rs MAX_PART_BYTES",
  "Question, and answer, of a page": "src/memory/paging/tiers/add.rs MAX_PAGE_PART_BYTES",
  "Name of an entity": "src/memory/keeping/graph/entity.rs MAX_NAME_BYTES",
  "Type of an entity or a relation": "src/memory/keeping/graph/entity.rs MAX_TYPE_BYTES",
  "Observation of an entity": "src/memory/keeping/graph/entity.rs MAX_OBSERVATION_BYTES",
  "Items of one call that changes the graph": "src/memory/keeping/graph/mod.rs MAX_BATCH",
  "Prompt in place of a built-in one": "src/memory/asking/prompts/mod.rs MAX_PROMPT_BYTES",
  "Proposals of one call": "src/memory/keeping/proposals/mod.rs MAX_PROPOSALS",
  "Query of `search_nodes`": "src/memory/keeping/graph/excerpt.rs MAX_QUERY_LENGTH",
  "Tokens of a reading of the graph, by default": "src/memory/keeping/graph/excerpt.rs DEFAULT_TOKENS",
  "Metadata of an item": "src/memory/terms/limits.rs MAX_METADATA_BYTES",
  "Value of a profile field": "src/memory/keeping/profiles/field.rs MAX_FIELD_BYTES",
  "Id of a profile schema": "src/memory/keeping/profiles/schemas.rs MAX_SCHEMA_ID_CHARACTERS",
  "Facts given to one `generate`": "src/memory/keeping/task.rs MAX_GIVEN",
  "Labels of a revision": "src/memory/terms/limits.rs MAX_LABELS",
  "Label, and name of one": "src/memory/terms/limits.rs MAX_LABEL_BYTES",
  "Value of a document": "src/memory/keeping/documents/document.rs MAX_DOCUMENT_BYTES",
  "Part of a document that is searched": "src/memory/keeping/documents/document.rs MAX_TEXT_BYTES",
  "Namespace and key of a document": "src/record.rs MAX_KEY_BYTES",
  "Operations of one batch": "src/memory/keeping/documents/documents.rs MAX_OPERATIONS",
  "Blocks of a scope": "src/memory/keeping/blocks/blocks.rs MAX_BLOCKS",
  "Value of a block": "src/memory/keeping/blocks/block.rs MAX_BLOCK_CHARACTERS",
  "Passage of the archive": "src/memory/keeping/archive/passage.rs MAX_PASSAGE_BYTES",
  "Tags of a passage": "src/memory/keeping/archive/passage.rs MAX_TAGS",
  Query: "src/memory/terms/limits.rs MAX_QUERY_BYTES",
  "Results of one call": "src/memory/terms/limits.rs MAX_LIMIT",
  "Nesting of a filter": "src/filter.rs MAX_FILTER_DEPTH",
  "Conditions of a filter": "src/filter.rs MAX_FILTER_CONDITIONS",
  "Dimensions of a vector": "crates/core/src/embedding.rs MAX_DIMENSIONS",
  "Arguments of one call": "pkg-template/src/plain.ts MAX_BYTES",
  "Nesting of arguments": "pkg-template/src/plain.ts MAX_DEPTH",
  "One record as stored, without its vector": "src/record.rs MAX_RECORD_BYTES",
  "One commit as stored, without its vectors": "src/store/draft.rs MAX_COMMIT_BYTES",
  "Tokens of a tool's result": "src/engine/tools/answer.rs MAX_TOKENS",
  "Instructions of a prompt": "src/memory/prompting/assembly/asked.rs MAX_INSTRUCTIONS_BYTES",
  "Time for an answer of a model, by default": "src/memory/asking/models/mod.rs DEFAULT_TIMEOUT_MS",
  "Time for the vector of a query": "src/memory/asking/models/mod.rs QUERY_TIMEOUT_MS",
  "The WebAssembly module after gzip": "wasm-pack.toml mnemic_bg.wasm",
};

/** Public limits that an app never meets. */
const INNER = [
  "crates/core/src/embedding.rs MAX_CODE",
  "crates/core/src/index/lexical/search.rs MAX_QUERY_TERMS",
  "crates/core/src/index/lexical/tokenize.rs MAX_TOKENS",
  "crates/core/src/index/lexical/tokenize.rs MAX_TOKEN_BYTES",
  "src/log/head.rs MAX_SEQUENCE",
  "src/log/head.rs MAX_VALUE_BYTES",
  "src/memory/learning/rules/mod.rs MAX_STATEMENTS",
  "src/memory/learning/rules/statement.rs MAX_VALUE_CHARS",
  "src/ports.rs MAX_KEY_BYTES",
  "src/time.rs MAX_TIMESTAMP",
];

const PATTERNS = [
  /^(?:pub(?:\([^)]*\))? )?const (\w+): [iu]\w+ = ([^;]+);/gm,
  /^(?:export )?const (\w+)(?:: number)? = ([\d_ *]+);/gm,
  /(name)\)?.*\{1,(\d+)\}\$\//g,
  /^"([\w.]+)" = (\d[\d_]*)$/gm,
];

const text = (path) => readFileSync(join(root, path), "utf8");

/** The constants of a file, as they are written. */
function constants(path) {
  return new Map(PATTERNS.flatMap((pattern) => Array.from(text(path).matchAll(pattern), ({ 1: name, 2: value }) => [name, value])));
}

/** The number behind `256 * 1024` or `1 << 20`. */
function evaluated(expression) {
  const [first, ...rest] = expression.replaceAll("_", "").split(/\s*(\*|<<)\s*/);
  let value = Number(first);
  for (let at = 0; at < rest.length; at += 2) value *= rest[at] === "*" ? Number(rest[at + 1]) : 2 ** Number(rest[at + 1]);
  return value;
}

const UNITS = { KiB: 1024, MiB: 1024 * 1024, kB: 1000, s: 1000 };

/** The number that a cell of the table says, in bytes, milliseconds or pieces. */
function said(cell) {
  const [, number, unit] = cell.match(/^(\d+)(?: (KiB|MiB|kB|s)\b)?/) ?? assert.fail(`no number in ${cell}`);
  return Number(number) * (UNITS[unit] ?? 1);
}

test("each row says what the source says, and no row is missing", () => {
  const [, table] = text("README.md").match(/\n## Limits\n\n[^]*?\|---\|---\|\n([^]*?)\n\n/);
  const rows = table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()).slice(1, 3));
  assert.deepEqual(
    Object.fromEntries(rows.map(([what, most]) => [what, said(most)])),
    Object.fromEntries(
      Object.entries(LIMITS).map(([what, place]) => {
        const [path, name] = place.split(" ");
        const expression = constants(path).get(name) ?? assert.fail(`there is no ${name} in ${path}`);
        return [what, evaluated(expression)];
      }),
    ),
  );
});

test("a new public limit is in the README, or known as one that no app meets", () => {
  const known = new Set([...Object.values(LIMITS), ...INNER]);
  const files = ["src", "crates/core/src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).filter((path) => path.endsWith(".rs")).map((path) => `${folder}/${path}`),
  );
  const found = files.flatMap((path) => Array.from(text(path).matchAll(/^pub const (MAX_\w+)/gm), ({ 1: name }) => `${path} ${name}`));
  assert.ok(found.length > 20);
  assert.deepEqual(found.filter((place) => !known.has(place)), []);
  assert.deepEqual(INNER.filter((place) => !found.includes(place)), []);
});
