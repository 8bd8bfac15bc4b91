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
      "objects.ts": `
        import { memoryRouter, MemoryObject, userMemory, type RemoteMemory } from "mnemic/cloudflare";
        import { memoryClient, type RateLimitedError } from "mnemic/cloudflare/client";
        import type { Fact } from "mnemic";

        const PROFILES = { settings: { type: "object", properties: { city: { type: "string" } } } } as const;
        interface Env {
          MEMORY: DurableObjectNamespace<UserMemory>;
        }
        export class UserMemory extends MemoryObject<Env, typeof PROFILES> {
          constructor(ctx: DurableObjectState, env: Env) {
            super(ctx, env, { profiles: PROFILES, limits: { callsPerMinute: 60 }, metric: ({ kind, ms }) => console.log(kind, ms) });
          }
          cities(): Promise<string | undefined> {
            return this.use(async (user) => (await user.profiles.get()).settings.profile.city);
          }
        }
        const namespace = (env: Env) => env.MEMORY;
        export default memoryRouter<Env>({ namespace, authenticate: () => "alice" }) satisfies ExportedHandler<Env>;
        // @ts-expect-error nobody is let in without authentication
        memoryRouter<Env>({ namespace });
        // @ts-expect-error an id is a text
        memoryRouter<Env>({ namespace, authenticate: () => 5 });
        // @ts-expect-error the name of the memory is not the application's
        export class Named extends MemoryObject { constructor(ctx: DurableObjectState, env: unknown) { super(ctx, env, { name: "x" }); } }

        export async function byBinding(env: Env, error: RateLimitedError): Promise<Fact[]> {
          const memory: RemoteMemory<typeof PROFILES> = userMemory<typeof PROFILES>(env.MEMORY, "alice");
          const city: string | undefined = (await memory.profiles.get()).settings.profile.city;
          await memory.context.step("Hi!").catch(() => city);
          await userMemory(env.MEMORY, "bob").deleteUser();
          const page = memoryClient({ url: "https://app.example", token: async () => error.code });
          const file: ReadableStream<Uint8Array> = await page.export();
          const { done }: { done: number } = await page.import(file);
          // @ts-expect-error a view lives where the memory is
          page.asOf(done);
          // @ts-expect-error a client does not take keys
          page.encryption;
          return page.facts.list({ limit: 5 });
        }
      `,
      "langgraph.ts": `
        import { Annotation, StateGraph, type BaseCheckpointSaver, type BaseStore } from "@langchain/langgraph";
        import type { Item } from "@langchain/langgraph-checkpoint";
        import { openMemory } from "mnemic";
        import { memoryClient } from "mnemic/cloudflare/client";
        import { MnemicSaver, MnemicStore } from "mnemic/langgraph";

        const memory = await openMemory({ name: "types" });
        const user = memory.scope({ userId: "alice" });
        const saver: BaseCheckpointSaver = new MnemicSaver(user);
        const store: BaseStore = new MnemicStore(user, { namespace: ["agent"], index: { fields: ["text"] }, ttl: { defaultTtl: 60 } });
        export const graph = new StateGraph(Annotation.Root({ count: Annotation<number> }))
          .addNode("add", async ({ count }, { store }) => {
            const item: Item | null | undefined = await store?.get(["counts"], "last");
            return { count: count + Number(item?.value.count) };
          })
          .addEdge("__start__", "add")
          .compile({ checkpointer: saver, store });
        export const remote = new MnemicSaver(memoryClient({ url: "https://app.example" }));
        // @ts-expect-error the memory is nobody's
        new MnemicSaver(memory);
        // @ts-expect-error fields are a list
        new MnemicStore(user, { index: { fields: "text" } });
      `,
    },
    ["@langchain/core", "@langchain/langgraph", "@langchain/langgraph-checkpoint", "zod", "openai", "@anthropic-ai/sdk", "@modelcontextprotocol/sdk", "@types/node", "undici-types", "@cloudflare/workers-types", "@types/react", "vue", "svelte"],
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

test("a checkpointer and a store are what LangGraph takes", () => {
  const options = { lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"], types: ["node"], skipLibCheck: true };
  assert.deepEqual(complaints([project.path("langgraph.ts")], options), []);
});

test("objects of users, the router and the clients have types", () => {
  const options = { lib: ["lib.es2022.d.ts"], types: ["@cloudflare/workers-types"], skipLibCheck: true };
  assert.deepEqual(complaints([project.path("objects.ts")], options), []);
});
