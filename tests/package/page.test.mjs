/** The package in a browser with no bundler, under a strict Content-Security-Policy, kept in IndexedDB. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { watchInstances } from "./support/instances.mjs";
import { PAGE, POLICY, ready } from "./support/page.mjs";
import { createProject } from "./support/project.mjs";
import { serve } from "./support/server.mjs";

const WORKER = `
  import { openMemory } from "./node_modules/mnemic/entry/browser.js";
  try {
    const memory = await openMemory({ name: "worker" });
    const user = memory.scope({ userId: "alice" });
    await user.facts.add("Alice works in a worker");
    postMessage([memory.storage.kind, (await user.facts.list()).map(({ text }) => text)]);
    await memory.close();
  } catch (error) {
    postMessage(String(error.stack));
  }
`;

let project, browser, server, untypedServer;

before(async () => {
  project = await createProject({ ...PAGE, "worker.js": WORKER });
  const headers = { "content-security-policy": POLICY };
  server = await serve(project.folder, { headers });
  untypedServer = await serve(project.folder, { headers, types: { ".wasm": "text/plain" } });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
  await untypedServer?.close();
  await project?.remove();
});

/** Runs `work` on a fresh page of a fresh profile, and checks that the page had nothing to complain about. */
async function onPage({ url = server.url, expected = [], prepare } = {}, work) {
  const context = await browser.newContext();
  try {
    await prepare?.(context);
    const { page, complaints } = await openPage(context, url);
    await ready(page);
    await work(page, context);
    assert.deepEqual(complaints.filter((text) => !expected.some((pattern) => pattern.test(text))), []);
  } finally {
    await context.close();
  }
}

const addFact = async (text) => {
  const memory = await mnemic.openMemory({ name: "page" });
  const user = memory.scope({ userId: "alice" });
  await user.facts.add(text);
  await user.remember({ role: "user", content: "I play the cello." }, { threadId: "monday" });
  const kind = memory.storage.kind;
  await memory.close();
  return kind;
};

const readFacts = async () => {
  const memory = await mnemic.openMemory({ name: "page" });
  const user = memory.scope({ userId: "alice" });
  const texts = (await user.facts.list()).map(({ text }) => text);
  const { text } = await user.recall("which instrument? the cello?");
  const messages = (await user.threads.messages("monday")).length;
  await memory.close();
  return { texts, text, messages };
};

test("what was remembered is there after a reload", async () => {
  await onPage({}, async (page) => {
    assert.equal(await page.evaluate(addFact, "Alice sings"), "indexeddb");
    await page.reload();
    await ready(page);
    const { texts, text, messages } = await page.evaluate(readFacts);
    assert.deepEqual(texts, ["Alice sings"]);
    assert.match(text, /cello/);
    assert.equal(messages, 1);
  });
});

test("what resolved is there after a reload that came at once, with nothing closed", async () => {
  await onPage({}, async (page) => {
    await page.evaluate(async () => {
      const memory = await mnemic.openMemory({ name: "page" });
      await memory.scope({ userId: "alice" }).facts.add("Alice sings");
    });
    await page.reload();
    await ready(page);
    assert.deepEqual((await page.evaluate(readFacts)).texts, ["Alice sings"]);
  });
});

test("a server that does not know the MIME type of WebAssembly is enough", async () => {
  await onPage({ url: untypedServer.url }, async (page) => {
    assert.equal(await page.evaluate(addFact, "Alice sings"), "indexeddb");
  });
});

test("a module that cannot be fetched is a LoadError, and the next try fetches it", async () => {
  await onPage({ expected: [/404/] }, async (page) => {
    await page.route("**/*.wasm", (route) => route.fulfill({ status: 404 }));
    const failure = await page.evaluate(() =>
      mnemic.openMemory({ name: "page" }).then(
        () => "opened",
        (error) => `${error instanceof mnemic.LoadError} ${error.message}`,
      ),
    );
    assert.match(failure, /^true .*404 .*import mnemic\/inline/);
    await page.unroute("**/*.wasm");
    assert.equal(await page.evaluate(addFact, "Alice sings"), "indexeddb");
  });
});

test("the parts of the engine are fetched under the same policy, and one that cannot be is asked for again", async () => {
  await onPage({ expected: [/404/] }, async (page) => {
    await page.route("**/mnemic_systems.wasm", (route) => route.fulfill({ status: 404 }));
    const failure = await page.evaluate(async () => {
      globalThis.user = (await mnemic.openMemory({ name: "parts" })).scope({ userId: "alice" });
      return user.graph.read_graph().catch((error) => `${error instanceof mnemic.LoadError} ${error.message}`);
    });
    assert.match(failure, /^true .*mnemic_systems\.wasm.*404/);
    await page.unroute("**/mnemic_systems.wasm");
    const learned = await page.evaluate(async () => {
      await user.remember({ role: "user", content: "I live in Porto." });
      await user.flush();
      return [(await user.graph.read_graph()).entities.length, ...(await user.facts.list()).map(({ text }) => text)];
    });
    assert.deepEqual(learned, [0, "The user lives in Porto."]);
  });
});

test("a page in the place of the module is named, with the cure", async () => {
  await onPage({}, async (page) => {
    await page.route("**/*.wasm", (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body: "<!doctype html>" }));
    const message = await page.evaluate(() => mnemic.openMemory({ name: "page" }).catch((error) => error.message));
    assert.match(message, /mnemic_bg\.wasm is a page.*optimizeDeps\.exclude/);
  });
});

test("where there is no IndexedDB, localStorage is used and remembers", async () => {
  const withoutIndexedDb = () => Object.defineProperty(globalThis, "indexedDB", { value: undefined });
  const prepare = (context) => context.addInitScript(withoutIndexedDb);
  await onPage({ prepare }, async (page) => {
    assert.equal(await page.evaluate(addFact, "Alice sings"), "localstorage");
    await page.reload();
    await ready(page);
    assert.deepEqual((await page.evaluate(readFacts)).texts, ["Alice sings"]);
  });
});

test("where there is neither, opening says what to do instead of forgetting silently", async () => {
  const withoutStorage = () => {
    Object.defineProperty(globalThis, "indexedDB", { value: undefined });
    Object.defineProperty(globalThis, "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    });
  };
  await onPage({ prepare: (context) => context.addInitScript(withoutStorage) }, async (page) => {
    const failure = await page.evaluate(() => mnemic.openMemory({ name: "page" }).catch(({ code, message }) => [code, message]));
    assert.equal(failure[0], "InvalidInput");
    assert.match(failure[1], /pass an object with read\(\) and write\(\), or "memory"/);
  });
});

/** It said that the browser had no IndexedDB, when a bundler had taken the entry for Node. */
test("an entry that chooses no storage says so, and not that the browser has none", async () => {
  await onPage({}, async (page) => {
    const message = await page.evaluate(async () => {
      const { opener } = await import("/node_modules/mnemic/slim.js");
      return opener({ loadModule: () => Promise.reject(new Error("not asked for")) })({ name: "slim" }).catch((error) => error.message);
    });
    assert.match(message, /chooses none by itself.*"indexeddb"/);
    assert.doesNotMatch(message, /neither/);
  });
});

test("it runs in a worker", async () => {
  await onPage({}, async (page) => {
    const answer = await page.evaluate(
      () =>
        new Promise((resolve) => {
          new Worker("worker.js", { type: "module" }).onmessage = ({ data }) => resolve(data);
        }),
    );
    assert.deepEqual(answer, ["indexeddb", ["Alice works in a worker"]]);
  });
});

for (const storage of ["indexeddb", "localstorage"]) {
  test(`a dead instance lets go of ${storage}, and a fresh one has what was kept`, async () => {
    await onPage({ prepare: (context) => context.addInitScript(watchInstances) }, async (page) => {
      const outcome = await page.evaluate(async (storage) => {
        const open = () => mnemic.openMemory({ name: "crash", storage });
        const memory = await open();
        const user = memory.scope({ userId: "alice" });
        const { id } = await user.facts.add("Alice sings");
        ruin();
        const code = await user.facts.list().catch((error) => error.code);
        const again = await open();
        const text = (await again.scope({ userId: "alice" }).facts.get(id)).text;
        await again.close();
        if (storage === "localstorage") return { code, text, gone: "gone" };
        // A connection that was still open would block this.
        const [{ name }] = await indexedDB.databases();
        const deletion = indexedDB.deleteDatabase(name);
        const gone = await new Promise((resolve) => {
          deletion.onsuccess = () => resolve("gone");
          deletion.onblocked = () => resolve("blocked");
        });
        return { code, text, gone };
      }, storage);
      assert.deepEqual(outcome, { code: "Crashed", text: "Alice sings", gone: "gone" });
    });
  });
}

test("the first search after opening gives the page its thread in between, and what is called later stays behind it", async () => {
  await onPage({}, async (page) => {
    const [first, later, found] = await page.evaluate(async () => {
      const memory = await mnemic.openMemory({ name: "first-search" });
      const user = memory.scope({ userId: "alice" });
      await user.facts.add("Alice sings in a choir");
      await memory.idle();
      const { port1, port2 } = new MessageChannel();
      let turns = 0;
      port1.onmessage = () => {
        turns += 1;
        port2.postMessage(undefined);
      };
      port2.postMessage(undefined);
      const turnsOf = async (work) => {
        const before = turns;
        await work();
        return turns - before;
      };
      let found, adding;
      const first = await turnsOf(async () => {
        const searching = user.recall("Where does Alice sing?");
        adding = user.facts.add("Alice sings in the shower");
        found = (await searching).items.map(({ text }) => text);
      });
      await adding;
      const later = await turnsOf(() => user.recall("What does Alice play?"));
      port1.close();
      await memory.close();
      return [first, later, found];
    });
    assert.ok(first >= later + 3, `${first} turns, then ${later}`);
    assert.ok(found.length > 0 && found.every((text) => !text.includes("shower")), String(found));
  });
});
