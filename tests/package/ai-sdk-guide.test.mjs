/** The snippets of the guide of the AI SDK, with either version of it and a stand-in for a provider. */
import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createProject } from "./support/project.mjs";
import { printed, snippets } from "./support/snippets.mjs";
import { root } from "./support/tarball.mjs";

const found = snippets("js").filter(({ name }) => name.startsWith("docs/guides/ai-sdk.md"));

/** A provider whose model says where the user lives if it is told, and calls the first tool it is given. */
const PROVIDER = `
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const answerTo = ({ prompt, tools }) => {
    const words = (message) => (typeof message.content === "string" ? message.content : message.content.map(({ text }) => text).join());
    const known = prompt.filter(({ role }) => role === "system").map(words).join();
    const question = words(prompt.findLast(({ role }) => role === "user"));
    const tool = tools?.find(({ name }) => name === "facts_add");
    if (tool && prompt.at(-1).role !== "tool") {
      return [{ type: "tool-call", toolCallId: "c", toolName: tool.name, input: '{"text":"The user sails every summer"}' }, "tool-calls"];
    }
    const text = !question.startsWith("Where do I live") ? "Noted." : known.includes("lives in Lisbon") ? "You live in Lisbon." : "I do not know.";
    return [{ type: "text", text }, "stop"];
  };
  export const openai = (modelId) => ({
    specificationVersion: "v3", provider: "stand-in", modelId, supportedUrls: {},
    async doGenerate(call) {
      const [content, unified] = answerTo(call);
      return { content: [content], finishReason: { unified, raw: unified }, usage, warnings: [] };
    },
    async doStream(call) {
      const [{ text }, unified] = answerTo(call);
      const parts = [{ type: "stream-start", warnings: [] }, { type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: text }, { type: "text-end", id: "t" }];
      const end = { type: "finish", finishReason: { unified, raw: unified }, usage };
      return { stream: new ReadableStream({ start: (controller) => ([...parts, end].forEach((part) => controller.enqueue(part)), controller.close()) }) };
    },
  });
`;

const PRELUDE = `
  import { openMemory } from "mnemic";
  const memory = await openMemory({ name: "guide", storage: "memory" });
  const user = memory.scope({ userId: "alice" });
`;

test("the first snippet takes no more than ten lines", () => {
  const lines = found[0].source.split("\n").filter((line) => line.trim() !== "");
  assert.ok(lines.length <= 10, `${lines.length} lines`);
});

for (const version of ["ai", "ai-6"]) {
  describe(version, () => {
    test("every snippet prints what it says", async () => {
      const project = await createProject();
      try {
        await project.write("node_modules/@ai-sdk/openai/package.json", JSON.stringify({ name: "@ai-sdk/openai", type: "module", exports: "./index.js" }));
        await project.write("node_modules/@ai-sdk/openai/index.js", PROVIDER);
        await symlink(join(root, "node_modules", version), project.path("node_modules/ai"));
        for (const [place, { name, source }] of found.entries()) {
          const lines = printed(source);
          assert.notEqual(lines.length, 0, name);
          const path = await project.write(`snippet-${place}.mjs`, `${PRELUDE}${source}\nawait memory.close();\n`);
          assert.equal(await project.run(path), `${lines.join("\n")}\n`, name);
        }
      } finally {
        await project.remove();
      }
    });
  });
}
