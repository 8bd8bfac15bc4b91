/** The snippets of the guide of LangGraph. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { langGraphProject } from "./support/langgraph.mjs";
import { printed, snippets, undated } from "./support/snippets.mjs";

const found = snippets("js").filter(({ name }) => name.startsWith("docs/guides/langgraph.md"));

/** The node that asks a model. */
const REPLY = `
  import { AIMessage } from "@langchain/core/messages";
  export const reply = async () => ({ messages: [new AIMessage("Hi!")] });
`;

const PRELUDE = `
  import { openMemory } from "mnemic";
  const memory = await openMemory({ name: "guide", storage: "memory" });
  const user = memory.scope({ userId: "alice" });
`;

let project;
before(async () => ({ project } = await langGraphProject({ "reply.js": REPLY })));
after(() => project?.remove());

test("the first snippet takes no more than ten lines", () => {
  const lines = found[0].source.split("\n").filter((line) => line.trim() !== "");
  assert.ok(lines.length <= 10, `${lines.length} lines`);
});

test("every snippet prints what it says", async () => {
  for (const [place, { name, source }] of found.entries()) {
    const lines = printed(source);
    assert.notEqual(lines.length, 0, name);
    const path = await project.write(`snippet-${place}.mjs`, `${PRELUDE}${source}\nawait memory.close();\n`);
    assert.equal(undated(await project.run(path)), undated(`${lines.join("\n")}\n`), name);
  }
});
