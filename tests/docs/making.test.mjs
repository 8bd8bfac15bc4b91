/** How documents become pages: where their links lead, and which of their snippets run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOf } from "../../docs/site/run/console.js";
import { linked, pageOf } from "../../scripts/docs/pages.mjs";
import { modulesOf, obstacle } from "../../scripts/docs/runnable.mjs";

test("every document has its page, and other files have none", () => {
  const pairs = [["README.md", "start.md"], ["docs/guides/recall.md", "guides/recall.md"], ["docs/site/index.md", "index.md"], ["docs/ranking.md", "ranking.md"], ["examples/cloudflare/README.md", "examples/cloudflare.md"], ["src/lib.rs", undefined]];
  for (const [path, page] of pairs) assert.equal(pageOf(path), page);
});

test("links lead from page to page, to files that are served, or nowhere; code is left alone", () => {
  const files = new Set();
  const page = (text) => linked("docs/guides/recall.md", text, files);
  assert.equal(page("[all](../../README.md#status) [`x`](facts.md) [up](#options)"), "[all](../start.md#status) [`x`](./facts.md) [up](#options)");
  assert.equal(page("[MIT](../../LICENSE-MIT), [an app](../../examples/cloudflare), [sources](../../src)"), "[MIT](/files/LICENSE-MIT.txt), [an app](../examples/cloudflare.md), sources");
  assert.equal(page("```js\na[0](b.md)\n```\n`[a](b.md)`"), "```js\na[0](b.md)\n```\n`[a](b.md)`");
  assert.match(page("![What happens](../concepts/pictures/scopes.svg)"), /<svg[^>]*role="img"/);
  assert.doesNotMatch(page("![What happens](../concepts/pictures/scopes.svg)"), /<style>/);
  assert.deepEqual([...files], ["LICENSE-MIT"]);
});

test("what cannot run in a page says why", () => {
  const reasons = [
    ['import { fileStorage } from "mnemic/node";', "Runs in Node"],
    ['import { rm } from "node:fs/promises";', "Runs in Node"],
    ['import { DurableObject } from "cloudflare:workers";', "Runs in Cloudflare Workers"],
    ['import { generateText } from "ai";\nimport { memoryMiddleware } from "mnemic/ai-sdk";', "Needs ai"],
    ['import { tool } from "@langchain/core/tools";\nimport { BaseRetriever } from "@langchain/core/retrievers";', "Needs @langchain/core"],
    ["// page.js\nstart();", "A file of an app"],
    ["await yourServer.start(user);", "Needs a client of yours"],
    ["console.log(await yourModel([]));", undefined],
    ["document.title = name;", "Needs a page of its own"],
    ["await user.documents.put([], 1, {});", undefined],
    ['import { openMemory } from "mnemic";\nimport {\n  ollamaEmbeddings,\n} from "mnemic/embedders";', undefined],
  ];
  for (const [source, reason] of reasons) assert.equal(obstacle(source), reason, source);
});

test("the module of a snippet imports what the site serves, and knows what it prints", () => {
  const modules = modulesOf("one", 'import { openMemory } from "mnemic";\nimport { ollamaEmbeddings } from "mnemic/embedders";\nconsole.log("a"); // -> a\n');
  assert.match(modules["one.js"], /from "\.\.\/package\.js";\nimport .* from "\.\.\/\.\.\/package\/embedders\/index\.js"/);
  assert.match(modules["one.run.js"], /expected = \["a"\]/);
  assert.match(modulesOf("two", "await user.facts.list();")["two.js"], /from "\.\.\/package\.js"/);
});

test("what is printed reads as in a console", () => {
  assert.equal(lineOf(["a", 1, true, null, undefined]), "a 1 true null undefined");
  assert.equal(lineOf([["a", { b: 1n }]]), '["a", { "b": "1" }]');
  assert.equal(lineOf([new Error("no")]), "Error: no");
});
