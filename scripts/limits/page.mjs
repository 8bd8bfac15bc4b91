/** The page of limits: every limit that an application can meet, with the constant it comes from. */
import { constant } from "./constants.mjs";

/** The tables of the page: what is limited, the constant, and its unit. Numbers in `KiB`, `MiB`, `kB` and `s` are divided. */
const TABLES = {
  "Memories and scopes": [
    ["Name of a memory", "name.ts name", "of `A-Z a-z 0-9 . _ -`"],
    ["Pairs in a scope", "scope.rs MAX_SCOPE_PAIRS"],
    ["Key of a scope pair", "scope.rs MAX_SCOPE_KEY_CHARACTERS", "characters"],
    ["Value of a scope pair", "scope.rs MAX_SCOPE_VALUE_CHARACTERS", "characters"],
    ["Arguments of one call", "plain.ts MAX_BYTES", "MiB of JSON"],
    ["Nesting of arguments", "plain.ts MAX_DEPTH", "levels"],
    ["Metadata of one item", "limits.rs MAX_METADATA_BYTES", "KiB of JSON"],
    ["Ids in one `forget`", "forget/selector.rs MAX_FORGOTTEN_IDS"],
  ],
  "Messages and threads": [
    ["Messages in one `remember`", "message.rs MAX_MESSAGES"],
    ["Content of a message", "message.rs MAX_CONTENT_BYTES", "KiB"],
    ["Part of a message that a model learns from", "extract/prompt.rs MESSAGE_CHARACTERS", "characters"],
    ["Part of a message that the rules read", "rules/prose.rs MAX_BYTES", "KiB"],
    ["Thread id", "thread.rs MAX_THREAD_ID_BYTES", "bytes"],
    ["Message id", "message.rs MAX_MESSAGE_ID_BYTES", "bytes"],
  ],
  "Facts, profiles, instructions and episodes": [
    ["Text of a fact", "facts/mod.rs MAX_FACT_BYTES", "bytes"],
    ["Sources kept for a fact or field", "source.rs MAX_SOURCES"],
    ["Facts in one `facts.import`", "facts/import.rs MAX_IMPORT"],
    ["Source id of a fact", "facts/add.rs MAX_SOURCE_ID_BYTES", "bytes"],
    ["Facts passed to one `generate`", "task.rs MAX_GIVEN"],
    ["Id of a profile schema", "profiles/schemas.rs MAX_SCHEMA_ID_CHARACTERS", "of `a-z 0-9 -`"],
    ["Value of a profile field", "profiles/field.rs MAX_FIELD_BYTES", "KiB of JSON"],
    ["Labels on a revision", "limits.rs MAX_LABELS"],
    ["Name or text of a label", "limits.rs MAX_LABEL_BYTES", "bytes"],
    ["Text of an instruction", "instructions/mod.rs MAX_INSTRUCTION_BYTES", "bytes"],
    ["Name of an instruction", "instructions/mod.rs MAX_NAME_BYTES", "bytes"],
    ["Feedback on an instruction", "instructions/revise.rs MAX_FEEDBACK_BYTES", "bytes"],
    ["One part of an episode", "episodes/mod.rs MAX_PART_BYTES", "bytes"],
    ["Proposals in one call", "proposals/mod.rs MAX_PROPOSALS"],
  ],
  "Knowledge graph": [
    ["Name of an entity", "graph/entity.rs MAX_NAME_BYTES", "bytes"],
    ["Type of an entity or relation", "graph/entity.rs MAX_TYPE_BYTES", "bytes"],
    ["One observation", "graph/entity.rs MAX_OBSERVATION_BYTES", "KiB"],
    ["Items in one call that changes the graph", "graph/mod.rs MAX_BATCH"],
    ["Query of `search_nodes`", "graph/excerpt.rs MAX_QUERY_LENGTH", "characters"],
    ["Tokens of one read of the graph, by default", "graph/excerpt.rs DEFAULT_TOKENS"],
  ],
  Documents: [
    ["Value of a document", "documents/document.rs MAX_DOCUMENT_BYTES", "MiB of JSON"],
    ["Bytes of a document", "documents/document.rs MAX_DATA_BYTES", "MiB"],
    ["Part of a document that is indexed", "documents/document.rs MAX_TEXT_BYTES", "KiB"],
    ["Vectors of a document; the last is of what more of its paths lead to", "record.rs MAX_PARTS"],
    ["Namespace of a document", "record.rs MAX_NAMESPACE_BYTES", "KiB"],
    ["Key of a document", "record.rs MAX_KEY_BYTES", "bytes"],
    ["Operations in one batch", "documents/documents.rs MAX_OPERATIONS"],
  ],
  "Context and tiers": [
    ["Blocks in a scope", "blocks.rs MAX_BLOCKS"],
    ["Value of a block", "block.rs MAX_BLOCK_CHARACTERS", "characters"],
    ["Passage in the archive", "passage.rs MAX_PASSAGE_BYTES", "KiB"],
    ["Tags on a passage", "passage.rs MAX_TAGS"],
    ["Query or response of a tier page", "tiers/add.rs MAX_PAGE_PART_BYTES", "KiB"],
    ["Arguments of a tool call", "tools/tool.rs MAX_ARGUMENTS_BYTES", "KiB"],
    ["Result of a tool call", "tools/fit.rs RESULT_TOKENS", "tokens"],
    ["Instructions of an assembled prompt", "assembly/asked.rs MAX_INSTRUCTIONS_BYTES", "KiB"],
    ["Replacement for a built-in prompt", "prompts/mod.rs MAX_PROMPT_BYTES", "KiB"],
  ],
  MCP: [
    ["Page of the graph, about", "mcp/pages.ts PAGE_BYTES", "KiB of JSON"],
    ["Result of another tool", "mcp/tools.ts ANSWER_TOKENS", "tokens"],
    ["Body over HTTP", "mcp/http.ts MAX_BYTES", "MiB"],
    ["Messages in one batch", "mcp/http.ts MAX_BATCH"],
    ["Message over the standard streams", "node/stdio.ts MAX_LINE", "characters"],
  ],
  Search: [
    ["Query", "limits.rs MAX_QUERY_BYTES", "KiB"],
    ["Part of a query that is searched for: different words", "lexical/search.rs MAX_QUERY_TERMS"],
    ["Part of a query that is checked for typing errors: words that no fact holds", "relevance/term.rs MAX_MISTYPED"],
    ["Results of one call", "limits.rs MAX_LIMIT"],
    ["Queries that a model may add to one", "prompting/rewriting.rs MAX_QUERIES"],
    ["One of them", "prompting/rewriting.rs MAX_CHARACTERS", "characters"],
    ["Relations that a recall walks one after another", "terms/limits.rs MAX_HOPS"],
    ["Nesting of a filter", "filter.rs MAX_FILTER_DEPTH", "levels"],
    ["Conditions in a filter", "filter.rs MAX_FILTER_CONDITIONS"],
    ["Dimensions of a vector", "embedding.rs MAX_DIMENSIONS"],
  ],
  "Models, storage and size": [
    ["Time for a model's answer, by default", "models/mod.rs DEFAULT_TIMEOUT_MS", "s"],
    ["Time for a query's vector, and for rewriting it", "models/mod.rs QUERY_TIMEOUT_MS", "s"],
    ["One stored record, without its vector; a message of which words are withheld twice as much", "record.rs MAX_RECORD_BYTES", "KiB"],
    ["The stored record of a document", "record.rs MAX_DOCUMENT_RECORD_BYTES", "MiB"],
    ["Backup that is imported", "backup/transfer.ts MAX_BACKUP_BYTES", "MiB"],
    ["One stored commit, without its vectors", "store/draft.rs MAX_COMMIT_BYTES", "MiB"],
    ["Memory of an open memory, by default; `maxMemoryBytes`", "database/room.rs DEFAULT_MAX_MEMORY_BYTES", "MiB"],
    ["The greatest `maxMemoryBytes`", "database/room.rs MAX_MEMORY_BYTES", "MiB"],
    ["The WebAssembly module that is loaded first, after gzip", "wasm-pack.toml mnemic_bg.wasm", "kB"],
    ["All JavaScript that a page may load, after gzip", "wasm-pack.toml entry/browser.js", "kB"],
  ],
};

/** Public constants of the source that no application meets. */
const INTERNAL = [
  "embedding.rs MAX_CODE",
  "lexical/tokenize.rs MAX_TOKENS",
  "lexical/tokenize.rs MAX_TOKEN_BYTES",
  "log/head.rs MAX_SEQUENCE",
  "log/head.rs MAX_VALUE_BYTES",
  "rules/mod.rs MAX_STATEMENTS",
  "rules/statement.rs MAX_VALUE_CHARS",
  "ports.rs MAX_DESCRIPTION_BYTES",
  "ports.rs MAX_KEY_BYTES",
  "time.rs MAX_TIMESTAMP",
];

/** Every place that the page or its list of internal constants names. */
export const places = [...INTERNAL, ...Object.values(TABLES).flatMap((rows) => rows.map(([, place]) => place))];

const DIVISORS = { KiB: 1024, MiB: 1024 * 1024, kB: 1000, s: 1000 };

/** A limit as text, such as `256 KiB`. */
function limit(place, unit = "") {
  const number = constant(place) / (DIVISORS[unit.split(" ")[0]] ?? 1);
  if (!Number.isInteger(number)) throw new Error(`${place}: ${number} ${unit} is not a whole number; choose another unit`);
  return `${number.toLocaleString("en-US")} ${unit}`.trim();
}

/** The text of docs/limits.md. */
export function limitsPage() {
  const tables = Object.entries(TABLES).map(([title, rows]) => {
    const lines = rows.map(([what, place, unit]) => `| ${what} | ${limit(place, unit)} |`);
    return `## ${title}\n\n| What | At most |\n|---|---|\n${lines.join("\n")}\n`;
  });
  return `# Limits

<!-- Written by \`npm run limits\` from the constants of the source. Edit scripts/limits/page.mjs, not this page. -->

A call that exceeds a limit is refused with an error that names the value, the limit and what to do; nothing is changed. Where a row says
"Part of", the rest is stored and not used. Text is measured in UTF-8 bytes unless the table says characters. KiB and MiB are 1024 and
1024 x 1024 bytes; kB is 1000 bytes.

An open memory is held in RAM as a whole, including its history. Numbers in metadata and profile fields keep about 16 significant
digits; store a number as text if you need more.

${tables.join("\n")}`;
}
