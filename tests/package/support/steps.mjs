/** What browsers.test.mjs asks of a page, which is loaded anew for every step. */
import { answerSteps } from "./browser-steps.mjs";
import { broken } from "./contract.mjs";

const load = async (file) => WebAssembly.compileStreaming(fetch(`node_modules/mnemic/${file}`));
const options = {
  name: "chat",
  profiles: { user: { type: "object", properties: { city: { type: "string" } } } },
};

/** The promises of the browser's storages, which are opened beside the engine. */
async function contract({ storage }) {
  const instance = storage === "opfs" ? await inWorker() : await (await import("./node_modules/mnemic/instance.js")).instances(load)();
  return broken((name) => instance.openStorage({ name: `contract-${name}`, storage, durability: "strict" }));
}

/** What opens storages in a worker. */
async function inWorker() {
  const { instanceOf } = await import("./node_modules/mnemic/worker/remote.js");
  const { startWorker } = await import("./node_modules/mnemic/worker/start.js");
  return instanceOf("dedicated", startWorker);
}

const STEPS = {
  contract,

  async remember() {
    const { openMemory } = await import("./node_modules/mnemic/entry/browser.js");
    const memory = await openMemory(options);
    const user = memory.scope({ userId: "alice" });
    await user.remember([{ role: "user", content: "I live in Lisbon. I keep bees." }], { threadId: "monday" });
    await user.profiles.set("user", "city", "Lisbon");
    for (let number = 0; number < 300; number += 1) await user.facts.add(`Fact ${number}`);
    await user.flush();
    return { kind: memory.storage.kind };
  },

  /** On a page of its own, which the one before has not closed. */
  async recall() {
    const { openMemory } = await import("./node_modules/mnemic/entry/browser.js");
    const memory = await openMemory(options);
    const user = memory.scope({ userId: "alice" });
    const answer = {
      recalled: (await user.recall("Where do I live?")).text.includes("The user lives in Lisbon."),
      messages: (await user.threads.messages("monday")).map(({ content }) => content),
      city: (await user.profiles.get()).user.profile.city,
      facts: (await user.facts.list({ limit: 1000 })).length,
      ok: (await memory.verify()).ok,
    };
    await memory.close();
    return answer;
  },

  async encrypted() {
    const { openMemory } = await import("./node_modules/mnemic/entry/browser.js");
    const open = (passphrase) => openMemory({ name: "sealed", encryption: { passphrase } });
    const memory = await open("four words nobody guesses");
    await memory.scope({ userId: "alice" }).facts.add("Alice sails");
    await memory.close();
    const code = await open("a guess").catch((error) => error.code);
    const again = await open("four words nobody guesses");
    const facts = (await again.scope({ userId: "alice" }).facts.list()).map(({ text }) => text);
    await again.close();
    return { code, facts };
  },

  /** A backup of one memory, read into another. */
  async carried() {
    const { openMemory } = await import("./node_modules/mnemic/entry/browser.js");
    const memory = await openMemory(options);
    const file = await new Response(memory.export()).blob();
    await memory.close();
    const copy = await openMemory({ ...options, name: "copy" });
    await copy.import(file, { mode: "replace" });
    const facts = (await copy.scope({ userId: "alice" }).facts.list({ limit: 1000 })).length;
    await copy.close();
    return { facts };
  },

  /** A memory in private files, and from there in IndexedDB. */
  async files() {
    const { moveMemory, openMemory } = await import("./node_modules/mnemic/entry/browser.js");
    const told = async (storage) => {
      const memory = await openMemory({ name: "files", worker: true, ...(storage && { storage }) });
      const user = memory.scope({ userId: "alice" });
      await user.facts.add(`Fact ${Math.random()}`);
      const facts = (await user.facts.list()).length;
      const { ok } = await memory.verify();
      await memory.close();
      return [memory.storage.kind, facts, ok];
    };
    const answers = [await told(), await told("opfs")];
    await moveMemory("files", { from: "opfs", to: "indexeddb", worker: true });
    answers.push(await told());
    await moveMemory("files", { from: "indexeddb", to: "opfs", worker: true });
    return { answers: [...answers, await told()] };
  },

  async noFiles() {
    const { openMemory } = await import("./node_modules/mnemic/entry/browser.js");
    const memory = await openMemory({ name: "files", worker: true });
    await memory.close();
    const code = await openMemory({ name: "files", worker: true, storage: "opfs" }).catch(({ code }) => code);
    return { kind: memory.storage.kind, code };
  },

  /** Closed at once, its worker ends while it loads what is needed later. */
  async reopened() {
    const { openMemory } = await import("./node_modules/mnemic/entry/browser.js");
    let facts = 0;
    for (let time = 0; time < 10; time += 1) {
      const memory = await openMemory({ name: "reopened", worker: true });
      const user = memory.scope({ userId: "alice" });
      await user.facts.add(`Fact ${time}`);
      facts = (await user.facts.list()).length;
      await memory.close();
    }
    return { facts };
  },

  async worker() {
    const { openMemory } = await import("./node_modules/mnemic/entry/browser.js");
    const memory = await openMemory({ ...options, worker: true });
    const facts = (await memory.scope({ userId: "alice" }).facts.list({ limit: 1000 })).length;
    await memory.close();
    return { facts };
  },
};

await answerSteps(({ name, ...values }) => STEPS[name](values));
