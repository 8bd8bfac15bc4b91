/** What there is for LangChain: a retriever over recall, and its embeddings in a memory. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { langGraphProject } from "./support/langgraph.mjs";

let project, mnemic, adapter;

before(async () => ({ project, mnemic, adapter } = await langGraphProject()));
after(() => project?.remove());

async function withMemory(options, work) {
  const memory = await mnemic.openMemory({ name: "langchain", storage: "memory", ...options });
  try {
    await work(memory.scope({ userId: "alice" }), memory);
  } finally {
    await memory.close();
  }
}

test("a retriever gives the lines of a recall as documents, also in a chain", () =>
  withMemory({}, async (user) => {
    await user.facts.add("Alice plays the cello", { significance: 7 });
    await user.facts.add("Alice lives in Lisbon");
    const { BaseRetriever } = await project.import('export * from "@langchain/core/retrievers";');
    const retriever = new adapter.MnemicRetriever(user, { limit: 1 });
    assert.ok(retriever instanceof BaseRetriever);
    const { items } = await user.recall("Who plays the cello?", { limit: 1 });
    const documents = await retriever.invoke("Who plays the cello?");
    assert.deepEqual(documents, items.map(({ id, text, ...metadata }) => ({ id, pageContent: text.slice("- ".length), metadata })));
    assert.deepEqual([documents.length, documents[0].metadata.kind, documents[0].metadata.significance], [1, "fact", 7]);
    const chain = retriever.pipe((found) => found.map(({ pageContent }) => pageContent).join());
    assert.match(await chain.invoke("Where does Alice live?"), /Lisbon/);
    assert.deepEqual(await new adapter.MnemicRetriever(user).invoke("quantum chromodynamics"), []);
    assert.throws(() => new adapter.MnemicRetriever({}), (error) => error instanceof mnemic.InvalidInputError);
  }));

test("its embeddings embed what is stored and what is asked, each in its own way", async () => {
  const asked = [];
  const vectorOf = (text) => [text.includes("sea") || text.includes("ocean") ? 1 : 0, text.includes("mountain") ? 1 : 0, 0.1];
  const embeddings = {
    embedQuery: async (text) => (asked.push(["query", text]), vectorOf(text)),
    embedDocuments: async (texts) => (asked.push(["documents", ...texts]), texts.map(vectorOf)),
  };
  await withMemory({ embed: adapter.langChainEmbeddings(embeddings, "places:3") }, async (user, memory) => {
    await user.facts.add("Ana loves the sea");
    await user.facts.add("Bob loves mountains");
    await memory.idle();
    const [first] = await user.facts.search("ocean");
    assert.equal(first.text, "Ana loves the sea");
  });
  assert.deepEqual(asked.filter(([way]) => way === "query"), [["query", "ocean"]]);
  assert.deepEqual(asked.filter(([way]) => way === "documents").flatMap(([, ...texts]) => texts).sort(), ["Ana loves the sea", "Bob loves mountains"]);
});
