/** What the guide for Cloudflare shows, in Cloudflare's runtime. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";
import { printed, snippets, undated } from "./support/snippets.mjs";
import { bundleWorker, startWorker } from "../../scripts/workerd.mjs";

let project, client;

before(async () => {
  project = await createProject();
  client = await project.import('export * from "mnemic/cloudflare/client";');
});

after(() => project?.remove());

test("every script of the guide is run here", () => {
  assert.deepEqual([ofGuide("js").length, ofGuide("ts").length], [3, 1]);
});

/** The snippets of the guide, in its order. */
const ofGuide = (language) => snippets(language).filter(({ name }) => name.startsWith("docs/guides/cloudflare.md")).map(({ source }) => source);

/** Runs a Worker of the guide, whose binding and class are called as there. */
async function startGuide(source, use) {
  const objects = { durableObjects: { MEMORY: { className: "UserMemory", useSQLite: true } }, bindings: { TOKEN_SECRET: "a secret of the test" } };
  await project.write("guide.js", source);
  const guide = await startWorker(await bundleWorker(project, "guide.js"), "UserMemory", project.path("guide"), objects);
  try {
    await use(guide);
  } finally {
    await guide.stop();
  }
}

test("the guide's Worker lets in who has a signed token, and the guide's page works with it", async () => {
  const [source, page] = ofGuide("js");
  const signed = async (user, expires, secret = "a secret of the test") => {
    const key = await crypto.subtle.importKey("raw", Buffer.from(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const payload = Buffer.from(JSON.stringify({ sub: user, exp: expires })).toString("base64url");
    return `${payload}.${Buffer.from(await crypto.subtle.sign("HMAC", key, Buffer.from(payload))).toString("base64url")}`;
  };
  // Bundling and starting take their time.
  const soon = Math.floor(Date.now() / 1000) + 3600;
  await startGuide(source, async ({ url }) => {
    const token = await signed("ana", soon);
    const lines = [];
    const script = page.replace("https://memory.example/memory", `${url}memory`);
    globalThis.consoleOfGuide = { log: (line) => lines.push(undated(line)) };
    await project.import(`const token = ${JSON.stringify(token)};\nconst console = globalThis.consoleOfGuide;\n${script}`);
    assert.deepEqual(lines, printed(page));
    for (const wrong of [await signed("ana", soon, "another secret"), await signed("ana", 1), "x", "", `${token.split(".")[0]}.`]) {
      const memory = client.memoryClient({ url: `${url}memory`, token: wrong });
      await assert.rejects(memory.facts.list(), client.UnauthorizedError, wrong);
    }
  });
});

test("the guide's class has a method of its own", async () => {
  const source = ofGuide("js")[2];
  await startGuide(source, async (guide) => {
    assert.equal((await guide.ask("", "I keep bees.")).length, 2);
    assert.equal((await guide.ask("", "And goats.")).length, 4);
  });
});

test("the guide's models are asked by a binding", async () => {
  const [source] = ofGuide("ts");
  const renamed = source.replaceAll("UserMemory", "Asking");
  await startGuide(`${renamed}
    const answer = { facts: [{ action: "add", text: "The user keeps bees.", category: "personal info", significance: 6, message: 1, quote: "I keep bees" }] };
    const AI = { run: async (model, { text }) => (text ? { data: text.map(({ length }) => [1, length]) } : { response: answer, usage: { prompt_tokens: 7, completion_tokens: 5 } }) };
    export class UserMemory extends Asking {
      constructor(ctx, env) {
        super(ctx, { ...env, AI });
      }
      learned(content) {
        return this.use(async (user, memory) => {
          await user.remember({ role: "user", content });
          await user.flush();
          const { byPurpose } = await memory.usage();
          return { facts: (await user.facts.list()).map(({ text }) => text), inputTokens: byPurpose.extract.inputTokens, purposes: Object.keys(byPurpose) };
        });
      }
    }
    export default { fetch: async (request, env) => Response.json(await env.MEMORY.get(env.MEMORY.idFromName("a")).learned(await request.text())) };`,
  async (guide) => {
    const { facts, inputTokens, purposes } = await guide.ask("", "I keep bees.");
    assert.deepEqual(facts, ["The user keeps bees."]);
    assert.equal(inputTokens, 7);
    assert.ok(purposes.includes("extract") && purposes.includes("embed"), purposes.join());
  });
});
