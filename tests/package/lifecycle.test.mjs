/** Opening, closing, aborting, and what is left when the engine's instance dies. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mapStorage } from "../../scripts/map-storage.mjs";
import { watchInstances } from "./support/instances.mjs";
import { createProject } from "./support/project.mjs";

let project, mnemic, slim;

before(async () => {
  project = await createProject({}, ["react", "svelte"]);
  mnemic = await project.import('export * from "mnemic";');
  slim = await project.import(`
    import { readFile } from "node:fs/promises";
    import { createRequire } from "node:module";
    export * from "mnemic/slim";
    const { resolve } = createRequire(import.meta.url);
    export const compile = async (file) => WebAssembly.compile(await readFile(resolve(\`mnemic/\${file}\`)));
  `);
});

after(() => project?.remove());

const open = (options) => mnemic.openMemory({ name: "life", storage: "memory", ...options });

/** A storage in a Map; `gate`, when set, is awaited by every read and write. */
function gatedStorage(pairs) {
  const kept = mapStorage(pairs);
  const storage = {
    gate: undefined,
    async read(...range) {
      await storage.gate;
      return kept.read(...range);
    },
    async write(...batch) {
      await storage.gate;
      return kept.write(...batch);
    },
  };
  return storage;
}

test("importing does nothing: no timer, no module, no work", async () => {
  const path = await project.write(
    "import-only.mjs",
    `const used = [];
     const watch = (owner, name) => {
       const original = owner[name];
       owner[name] = (...values) => (used.push(name), original.apply(owner, values));
     };
     for (const name of ["setTimeout", "setInterval", "queueMicrotask", "fetch"]) watch(globalThis, name);
     for (const name of ["compile", "instantiate"]) watch(WebAssembly, name);
     for (const name of ["mnemic", "mnemic/slim", "mnemic/inline", "mnemic/adapters", "mnemic/ai-sdk", "mnemic/embedders", "mnemic/react", "mnemic/svelte", "mnemic/panel", "mnemic/devtools"]) await import(name);
     console.log(used.join());`,
  );
  assert.equal((await project.run(path)).trim(), "");
});

test("opened many times at once, each module is loaded once", async () => {
  const loads = [];
  const openMemory = slim.opener({ loadModule: (file) => (loads.push(file), slim.compile(file)) });
  const memories = await Promise.all(["a", "b", "c"].map((name) => openMemory({ name, storage: "memory" })));
  await openMemory({ name: "d", storage: "memory" }).then((memory) => memory.close());
  assert.deepEqual(loads, ["mnemic_bg.wasm", "mnemic_search.wasm"]);
  await Promise.all(memories.map((memory) => memory.close()));
});

test("a load that failed is reported as LoadError and tried again", async () => {
  const loads = [];
  const loadModule = (file) => {
    if (loads.push(file) === 1) throw new TypeError("offline");
    return slim.compile(file);
  };
  const openMemory = slim.opener({ loadModule });
  await assert.rejects(openMemory({ name: "a", storage: "memory" }), (error) => {
    assert.ok(error instanceof slim.LoadError);
    assert.match(error.message, /offline/);
    assert.ok(error.cause instanceof TypeError);
    return true;
  });
  await (await openMemory({ name: "a", storage: "memory" })).close();
  assert.deepEqual(loads, ["mnemic_bg.wasm", "mnemic_bg.wasm", "mnemic_search.wasm"]);
});

test("closing twice is closing once; later calls reject with ClosedError", async () => {
  const memory = await open();
  const user = memory.scope({ userId: "alice" });
  await user.facts.add("Alice sings");
  await Promise.all([memory.close(), memory.close()]);
  await memory.close();
  const calls = {
    remember: () => user.remember({ role: "user", content: "x" }),
    recall: () => user.recall("x"),
    facts: () => user.facts.list(),
    profiles: () => user.profiles.get(),
    threads: () => user.threads.list(),
    usage: () => memory.usage(),
    past: () => user.asOf(0).facts.list(),
  };
  for (const [name, call] of Object.entries(calls)) await assert.rejects(call(), mnemic.ClosedError, name);
});

test("calls that run when the memory is closed are answered", async () => {
  const memory = await open();
  const user = memory.scope({ userId: "alice" });
  const running = Array.from({ length: 20 }, (_, index) => user.facts.add(`Fact number ${index}`));
  await memory.close();
  const answers = await Promise.allSettled(running);
  for (const answer of answers) {
    assert.ok(answer.status === "fulfilled" || answer.reason instanceof mnemic.ClosedError, answer.reason?.stack);
  }
});

test("await using closes", async () => {
  const memory = await open();
  await memory[Symbol.asyncDispose]();
  await assert.rejects(memory.usage(), mnemic.ClosedError);
});

test("what was remembered is there when the same storage is opened again", async () => {
  const pairs = new Map();
  const first = await open({ storage: gatedStorage(pairs) });
  assert.equal(first.storage.kind, "object");
  const { id } = await first.scope({ userId: "alice" }).facts.add("Alice sings");
  await first.close();
  const second = await open({ storage: gatedStorage(pairs) });
  assert.equal((await second.scope({ userId: "alice" }).facts.get(id)).text, "Alice sings");
  await second.close();
});

test("an aborted signal stops a call before it starts, or lets go of it", async () => {
  const storage = gatedStorage();
  const memory = await open({ storage });
  const user = memory.scope({ userId: "alice" });
  const { commits } = await memory.usage();
  const reason = new Error("changed my mind");
  await assert.rejects(user.facts.add("never", { signal: AbortSignal.abort(reason) }), (error) => {
    assert.ok(error instanceof mnemic.AbortedError);
    assert.equal(error.cause, reason);
    return true;
  });
  assert.equal((await memory.usage()).commits, commits);
  let openGate;
  storage.gate = new Promise((resolve) => (openGate = resolve));
  const controller = new AbortController();
  const adding = user.facts.add("perhaps", { signal: controller.signal });
  controller.abort();
  await assert.rejects(adding, mnemic.AbortedError);
  openGate();
  storage.gate = undefined;
  await memory.close();
});

test("Node ends by itself, with the memory closed and with it left open", async () => {
  for (const [index, ending] of ["await memory.close();", ""].entries()) {
    const path = await project.write(
      `ends-${index}.mjs`,
      `import { openMemory } from "mnemic";
       const memory = await openMemory({ name: "ends", storage: "memory" });
       await memory.scope({ userId: "alice" }).remember({ role: "user", content: "My name is Alice." });
       await memory.idle();
       ${ending}
       console.log("done");`,
    );
    assert.equal((await project.run(path)).trim(), "done");
  }
});

test("a listener that throws disturbs neither the call nor the other listeners", async () => {
  const path = await project.write(
    "listener.mjs",
    `import { openMemory } from "mnemic";
     const uncaught = [];
     process.on("uncaughtException", (error) => uncaught.push(error.message));
     const memory = await openMemory({ name: "listener", storage: "memory" });
     let heard = 0;
     memory.on("change", () => { throw new Error("mine"); });
     memory.on("change", () => { heard += 1; });
     await memory.scope({ userId: "alice" }).facts.add("Alice sings");
     await memory.close();
     await new Promise(setImmediate);
     console.log(JSON.stringify({ heard, uncaught }));`,
  );
  assert.deepEqual(JSON.parse(await project.run(path)), { heard: 1, uncaught: ["mine"] });
});

/**
 * A child that can ruin its instance.
 * `storage` has a gate, so that a call can be caught between leaving the engine and coming back to it.
 */
const CRASH = `
  import { openMemory, CrashedError, ClosedError } from "mnemic";
  import assert from "node:assert/strict";
  import { mapStorage } from ${JSON.stringify(new URL("../../scripts/map-storage.mjs", import.meta.url).href)};
  (${watchInstances})();
  const uncaught = [];
  process.on("uncaughtException", (error) => uncaught.push(error.stack));
  process.on("unhandledRejection", (error) => uncaught.push(error.stack));
  const pairs = new Map();
  ${gatedStorage}
`;

test("a trap inside a call kills the memories of the instance; opening again uses a fresh one and has lost nothing", async () => {
  const path = await project.write(
    "crash-call.mjs",
    `${CRASH}
     const memory = await openMemory({ name: "crash", storage: gatedStorage(pairs) });
     const neighbour = await openMemory({ name: "neighbour", storage: "memory" });
     const user = memory.scope({ userId: "alice" });
     const { id } = await user.facts.add("Alice sings");
     await memory.idle();
     const errors = [];
     neighbour.on("error", ({ code }) => errors.push(code));
     ruin();
     await assert.rejects(user.facts.add("Alice dances"), CrashedError);
     await assert.rejects(user.facts.list(), CrashedError);
     await assert.rejects(memory.usage(), CrashedError);
     await assert.rejects(neighbour.usage(), CrashedError);
     assert.deepEqual(errors, ["Crashed"]);
     await memory.close();
     await neighbour.close();
     const again = await openMemory({ name: "crash", storage: gatedStorage(pairs) });
     assert.equal(memories.length, 2);
     assert.equal((await again.scope({ userId: "alice" }).facts.get(id)).text, "Alice sings");
     await assert.rejects(user.facts.list(), CrashedError);
     await again.close();
     await new Promise(setImmediate);
     assert.deepEqual(uncaught, []);
     console.log("done");`,
  );
  assert.equal((await project.run(path)).trim(), "done");
});

test("a trap in what the engine does later answers the calls that wait, and breaks nothing else", async () => {
  const path = await project.write(
    "crash-later.mjs",
    `${CRASH}
     const storage = gatedStorage(pairs);
     const memory = await openMemory({ name: "crash", storage });
     const user = memory.scope({ userId: "alice" });
     let openGate;
     storage.gate = new Promise((resolve) => (openGate = resolve));
     const waiting = [user.facts.add("one"), user.facts.add("two")];
     await new Promise(setImmediate);
     ruin();
     openGate();
     for (const call of waiting) await assert.rejects(call, CrashedError);
     storage.gate = undefined;
     const again = await openMemory({ name: "crash", storage });
     await again.scope({ userId: "alice" }).facts.add("three");
     await again.close();
     globalThis.gc();
     await new Promise((resolve) => setTimeout(resolve, 0));
     assert.deepEqual(uncaught, []);
     console.log("done");`,
  );
  assert.equal((await project.run(path, "--expose-gc")).trim(), "done");
});
