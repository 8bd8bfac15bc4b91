/** The declarations of the installed package. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { complaints } from "./support/compiler.mjs";
import { createProject } from "./support/project.mjs";

let project;

before(async () => {
  project = await createProject(
    {
      "types.test-d.ts": await readFile(join(import.meta.dirname, "types.test-d.ts"), "utf8"),
      "plain.ts": `
        import { openMemory, type Memory } from "mnemic";
        export const memory: Memory = await openMemory({ name: "plain" });
        export const ids: string[] = (await memory.scope({ a: "b" }).facts.list()).map(({ id }) => id);
      `,
      "worker.ts": `
        import { DurableObject } from "cloudflare:workers";
        import { openMemory } from "mnemic";
        import { durableObjectStorage } from "mnemic/cloudflare";
        export class Chat extends DurableObject {
          memory = openMemory({ name: "chat", storage: durableObjectStorage(this.ctx.storage) });
        }
      `,
    },
    ["zod", "openai", "@anthropic-ai/sdk", "@modelcontextprotocol/sdk", "@types/node", "undici-types", "@cloudflare/workers-types"],
  );
});

after(() => project?.remove());

test("what must compile does, and what must not does not", () => {
  const options = { lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: ["node"], skipLibCheck: true };
  assert.deepEqual(complaints([project.path("types.test-d.ts")], options), []);
});

test("the declarations are sound with the browser's types alone, down to the last line", () => {
  assert.deepEqual(complaints([project.path("plain.ts")], { lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: [] }), []);
});

test("they need no browser's types: Node's are enough", () => {
  const options = { lib: ["lib.es2022.d.ts"], types: ["node"], skipLibCheck: false };
  const own = complaints([project.path("plain.ts")], options).filter((text) => !text.includes("/@types/"));
  assert.deepEqual(own, []);
});

test("in a Worker, a Durable Object's storage fits", () => {
  const options = { lib: ["lib.es2022.d.ts"], types: ["@cloudflare/workers-types"], skipLibCheck: true };
  assert.deepEqual(complaints([project.path("worker.ts")], options), []);
});
