/** LangGraph with its memory in a page and in a Durable Object, where it has an entry of its own. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { build } from "vite";
import { bundleWorker, startWorker } from "../../scripts/workerd.mjs";
import { launch, openPage } from "./support/browser.mjs";
import { langGraphProject } from "./support/langgraph.mjs";
import { serve } from "./support/server.mjs";

/** A graph that stops before it sends, and goes on when it is told to. */
const AGENT = `
  import { Annotation, StateGraph } from "@langchain/langgraph/web";
  import { MnemicSaver, MnemicStore } from "mnemic/langgraph";

  const State = Annotation.Root({ draft: Annotation(), known: Annotation(), sent: Annotation() });
  const thread = { configurable: { thread_id: "mail" } };

  function agentOf(user) {
    const store = new MnemicStore(user);
    const recall = async ({ draft }) => ({ known: (await store.search(["people"], { query: draft })).map(({ value }) => value.text) });
    const graph = new StateGraph(State)
      .addNode("recall", recall).addNode("send", ({ draft }) => ({ sent: draft }))
      .addEdge("__start__", "recall").addEdge("recall", "send")
      .compile({ checkpointer: new MnemicSaver(user), interruptBefore: ["send"] });
    return { graph, store };
  }

  export async function begin(user) {
    const { graph, store } = agentOf(user);
    await store.put(["people"], "bob", { text: "Bob is on holiday" });
    await graph.invoke({ draft: "Dear Bob" }, thread);
    return (await graph.getState(thread)).next;
  }

  export async function goOn(user) {
    const { graph } = agentOf(user);
    const { known, sent } = await graph.invoke(null, thread);
    const steps = [];
    for await (const { metadata } of graph.getStateHistory(thread)) steps.push(metadata.step);
    return { known, sent, steps };
  }
`;

const PAGE = `
  import { openMemory } from "mnemic";
  import * as agent from "./agent.js";
  globalThis.call = async (name) => {
    const memory = await openMemory({ name: "agent" });
    const answer = await agent[name](memory.scope({ userId: "alice" }));
    await memory.close();
    return [memory.storage.kind, answer];
  };
`;

const WORKER = `
  import { DurableObject } from "cloudflare:workers";
  import { openMemory } from "mnemic";
  import { durableObjectStorage } from "mnemic/cloudflare";
  import * as agent from "./agent.js";

  export class Agent extends DurableObject {
    async fetch(request) {
      const memory = await openMemory({ name: "agent", storage: durableObjectStorage(this.ctx.storage) });
      const answer = await agent[new URL(request.url).pathname.slice(1)](memory.scope({ userId: "alice" }));
      await memory.close();
      return Response.json(answer);
    }
  }
  export default { fetch: (request, { OBJECT }) => OBJECT.get(OBJECT.idFromName("alice")).fetch(request) };
`;

const WENT_ON = { known: ["Bob is on holiday"], sent: "Dear Bob", steps: [2, 1, 0, -1] };

let project;
before(async () => {
  ({ project } = await langGraphProject({
    "agent.js": AGENT,
    "page.js": PAGE,
    "worker.js": WORKER,
    "index.html": '<!doctype html><script type="module" src="/page.js"></script>',
  }));
});
after(() => project?.remove());

test("in a page, a graph goes on after a reload", async () => {
  await build({ root: project.folder, configFile: false, logLevel: "error", build: { target: "es2022" } });
  const server = await serve(project.path("dist"));
  const browser = await launch();
  try {
    const { page, complaints } = await openPage(browser, server.url);
    const call = async (name) => {
      await page.waitForFunction(() => globalThis.call !== undefined);
      return page.evaluate((name) => call(name), name);
    };
    assert.deepEqual(await call("begin"), ["indexeddb", ["send"]]);
    await page.reload();
    assert.deepEqual(await call("goOn"), ["indexeddb", WENT_ON]);
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
    await server.close();
  }
});

test("in a Durable Object, a graph goes on after workerd was restarted", async () => {
  const modules = await bundleWorker(project, "worker.js");
  const ask = async (path) => {
    const worker = await startWorker(modules, "Agent", project.path("objects"));
    try {
      return await worker.ask(path);
    } finally {
      await worker.stop();
    }
  };
  assert.deepEqual(await ask("begin"), ["send"]);
  assert.deepEqual(await ask("goOn"), WENT_ON);
});
