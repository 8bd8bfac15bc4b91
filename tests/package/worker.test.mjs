/** The engine in a worker of the page, under a strict policy: the same answers, errors, callbacks and events as without. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serveProject } from "./support/served.mjs";
import { FILES, workerPage } from "./support/workers.mjs";

let browser, server, close;

before(async () => {
  ({ browser, server, close } = await serveProject(FILES));
});

after(() => close?.());

/** Runs a function in a fresh page, and checks that the page had nothing to complain about. */
async function inPage(work, given) {
  const context = await browser.newContext();
  try {
    const { page, complaints } = await workerPage(context, server.url);
    const answer = await page.evaluate(work, given);
    assert.deepEqual(complaints, []);
    return answer;
  } finally {
    await context.close();
  }
}

test("what is remembered in a worker is there for a page without one, and learned in the background", async () => {
  const answer = await inPage(async () => {
    const events = [];
    const memory = await mnemic.openMemory({ name: "chat", storage: "indexeddb", worker: true });
    memory.on("change", ({ cause, remote }) => events.push([cause, remote]));
    const user = memory.scope({ userId: "alice" });
    await user.facts.add("Alice sings");
    await user.remember({ role: "user", content: "I live in Porto." });
    await memory.idle();
    const recalled = (await user.recall("where does she live?")).text;
    const graph = (await user.graph.read_graph()).entities.length;
    await memory.close();
    const here = await mnemic.openMemory({ name: "chat" });
    const texts = (await here.scope({ userId: "alice" }).facts.list()).map(({ text }) => text).sort();
    await here.close();
    return { kind: memory.storage.kind, texts, recalled, graph, remotes: events.map(([, remote]) => remote), started: workers.length };
  });
  assert.match(answer.recalled, /Porto/);
  assert.ok(answer.remotes.length >= 3 && answer.remotes.every((remote) => remote === false), String(answer.remotes));
  assert.deepEqual(
    { ...answer, recalled: undefined, remotes: undefined },
    { kind: "indexeddb", texts: ["Alice sings", "The user lives in Porto."], recalled: undefined, graph: 0, remotes: undefined, started: 1 },
  );
});

test("errors arrive with their class, code, details and message, the same as without a worker", async () => {
  const told = await inPage(async () => {
    const all = [];
    for (const worker of [false, true]) {
      const memory = await mnemic.openMemory({ name: "errors", storage: "memory", worker, profiles: { person: { type: "object", properties: { age: { type: "integer" } } } } });
      const user = memory.scope({ userId: "alice" });
      const failures = [
        () => user.facts.delete("0191a0b0-0000-7000-8000-000000000000"),
        () => user.facts.add({ text: "" }),
        () => user.facts.list({ filter: { text: { $nope: 1 } } }),
        () => user.profiles.patch("person", { age: "old" }),
        () => user.remember({ role: "nobody", content: "x" }),
        () => memory.close().then(() => user.facts.list()),
      ];
      const mine = [];
      for (const fails of failures) {
        const error = await fails().catch((error) => error);
        const { name } = Object.getPrototypeOf(error).constructor;
        mine.push([name, error instanceof mnemic.MnemicError, error.name, error.code, error.message, JSON.stringify(error.details)]);
      }
      all.push(mine);
    }
    return all;
  });
  assert.deepEqual(told[1], told[0]);
  assert.deepEqual(told[1].map(([name]) => name), [
    "NotFoundError",
    "InvalidInputError",
    "InvalidFilterError",
    "SchemaViolationError",
    "InvalidInputError",
    "ClosedError",
  ]);
});

test("the models of the page are asked, vectors cross as they are, and what a model throws is told", async () => {
  const answer = await inPage(async () => {
    const asked = [];
    const kept = new Map();
    const errors = [];
    const embed = {
      id: "letters",
      embed(texts, { signal, purpose }) {
        asked.push([`embed ${purpose}`, signal instanceof AbortSignal]);
        return texts.map((text) => {
          // One that is kept must still be whole when it is given again.
          if (!kept.has(text)) kept.set(text, Float32Array.from({ length: 26 }, (_, at) => 1 + text.toLowerCase().split(String.fromCharCode(97 + at)).length));
          return kept.get(text);
        });
      },
    };
    const llm = ({ purpose, signal, messages }) => {
      asked.push([purpose, signal instanceof AbortSignal, messages.length > 0]);
      throw Object.assign(new RangeError("no more words"), { code: "out_of_words" });
    };
    const memory = await mnemic.openMemory({ name: "models", storage: "memory", worker: true, embed, llm });
    memory.on("error", ({ code, message }) => errors.push([code, message]));
    const user = memory.scope({ userId: "alice" });
    await user.facts.add("zebra");
    await user.facts.add("banana");
    const found = (await user.facts.search("zebra zebra")).map(({ text }) => text);
    await user.remember({ role: "user", content: "I live in Porto." });
    const failed = await user.flush().then(() => "learned", ({ code, message }) => [code, message]);
    const { rewritten, items } = await user.recall("and the zebra?", { rewrite: true });
    const lengths = [...kept.values()].map(({ length }) => length);
    await memory.close();
    return { asked, found, failed, errors, lengths, rewritten, recalled: items.map(({ text }) => text) };
  });
  assert.equal(answer.found[0], "zebra");
  assert.ok(answer.lengths.every((length) => length === 26));
  assert.ok(answer.asked.every(([, ...checks]) => checks.every(Boolean)), JSON.stringify(answer.asked));
  for (const name of ["embed document", "embed query", "extract", "rewrite"]) assert.ok(answer.asked.some(([asked]) => asked === name), name);
  assert.match(JSON.stringify([answer.failed, answer.errors]), /"Model".*RangeError: no more words/);
  assert.deepEqual([answer.rewritten.failed.code, answer.rewritten.queries], ["Model", []]);
  assert.match(answer.recalled.join(), /zebra/);
});

test("vectors of facts cross beside their arguments, short and long", async () => {
  const answer = await inPage(async () => {
    // No text is near another: what is found by meaning is found by the vectors that were given.
    const embed = { id: "axes", embed: (texts) => texts.map((text) => [0, 1, 2].map((axis) => Number(text.startsWith(`axis ${axis}`)))) };
    const memory = await mnemic.openMemory({ name: "numbers", storage: "memory", worker: true, embed });
    const user = memory.scope({ userId: "alice" });
    await user.facts.add({ text: "Alice sails", embedding: [0, 1, 0] });
    const long = Array.from({ length: 1000 }, (_, number) => ({ text: `Row ${number}`, metadata: { note: "n".repeat(2000) }, embedding: new Float32Array([1, 0, number / 1e6]) }));
    long[999].embedding = [0, 0, 1];
    const { added } = await user.facts.import(long);
    const nearest = async (axis) => (await user.facts.search(`axis ${axis}`, { limit: 1, threshold: 0 }))[0]?.text;
    const found = [await nearest(1), await nearest(2)];
    const { unembedded } = await memory.usage();
    const refused = await user.facts.import([{ text: "x", embedding: [1, Number.NaN] }]).catch(({ code, message }) => [code, message]);
    await memory.close();
    return { added, found, unembedded, refused };
  });
  assert.deepEqual([answer.added, answer.found, answer.unembedded], [1000, ["Alice sails", "Row 999"], 0]);
  assert.deepEqual(answer.refused, ["InvalidInput", "facts[0].embedding[1]: NaN is not allowed here; pass finite 32-bit numbers"]);
});

test("an abort in the page reaches the page's model through the worker", async () => {
  const answer = await inPage(async () => {
    const fired = Promise.withResolvers();
    const begun = Promise.withResolvers();
    const llm = ({ signal }) =>
      new Promise((_, reject) => {
        begun.resolve();
        signal.addEventListener("abort", () => {
          fired.resolve(signal.aborted);
          reject(signal.reason);
        });
      });
    const memory = await mnemic.openMemory({ name: "aborts", storage: "memory", worker: true, llm });
    const user = memory.scope({ userId: "alice" });
    const controller = new AbortController();
    await user.remember({ role: "user", content: "I live in Porto." });
    const flushed = user.flush({ signal: controller.signal }).catch(({ code, cause }) => [code, String(cause)]);
    await begun.promise;
    controller.abort(new Error("enough"));
    const aborted = await flushed;
    // Closing wants no answers any more.
    await memory.close();
    return { aborted, fired: await fired.promise };
  });
  assert.deepEqual(answer, { aborted: ["Aborted", "Error: enough"], fired: true });
});

test("a storage object of the page is used from the worker, and its conflicts and full disks are told", async () => {
  const answer = await inPage(async () => {
    const pairs = new Map();
    let [closed, refusal] = [0];
    const storage = {
      // One buffer for all values, of which only parts are theirs.
      read: (start, end) => [...pairs].filter(([key]) => start <= key && key < end).sort(([a], [b]) => (a < b ? -1 : 1)),
      async write({ puts, deletes }) {
        if (refusal) throw Object.assign(new Error("no room"), { code: refusal });
        for (const key of deletes) pairs.delete(key);
        for (const [key, value] of puts) {
          const roomy = new Uint8Array(value.length + 20).fill(7);
          roomy.set(value, 10);
          pairs.set(key, roomy.subarray(10, 10 + value.length));
        }
      },
      close: () => (closed += 1),
    };
    const open = () => mnemic.openMemory({ name: "object", storage, worker: true });
    const memory = await open();
    await memory.scope({ userId: "alice" }).facts.add("Alice sings");
    refusal = "QuotaExceeded";
    const failed = await memory.scope({ userId: "alice" }).facts.add("Alice paints").catch((error) => error instanceof mnemic.QuotaExceededError);
    refusal = undefined;
    await memory.close();
    const again = await open();
    const texts = (await again.scope({ userId: "alice" }).facts.list()).map(({ text }) => text);
    await again.close();
    return { kind: memory.storage.kind, failed, texts, closed };
  });
  assert.deepEqual(answer, { kind: "object", failed: true, texts: ["Alice sings"], closed: 2 });
});

/** What could not be read when it crossed left its call, and all after it, without an answer. */
test("whatever a callback throws, its call is answered, and the next one too", async () => {
  const answer = await inPage(async () => {
    const strange = Object.assign(Object.create(null), { retry() {} });
    const proxy = Proxy.revocable({}, {});
    proxy.revoke();
    const throwing = { get message() { throw new Error("no message"); }, name: strange, get code() { throw new Error("no code"); } };
    const thrown = [strange, proxy.proxy, throwing, Object.assign(new Error("no store"), { details: strange, cause: strange }), () => {}];
    const pairs = new Map();
    let next;
    const storage = {
      read: (start, end) => [...pairs].filter(([key]) => start <= key && key < end).sort(([a], [b]) => (a < b ? -1 : 1)),
      write({ puts, deletes }) {
        if (next) throw next.thrown;
        for (const key of deletes) pairs.delete(key);
        for (const [key, value] of puts) pairs.set(key, value.slice());
      },
    };
    const memory = await mnemic.openMemory({ name: "strange", storage, worker: true });
    const user = memory.scope({ userId: "alice" });
    const codes = [];
    for (const one of thrown) {
      next = { thrown: one };
      codes.push(await user.facts.add("Alice sings").then(() => "stored", ({ code }) => code));
      next = undefined;
      await user.facts.add(`Alice has ${codes.length}`);
    }
    const controller = new AbortController();
    const imported = user.import((async function* () {
      yield "[";
      controller.abort(strange);
      for (;;) yield " ";
    })(), { signal: controller.signal });
    const aborted = await imported.catch(({ code }) => code);
    const kept = (await user.facts.list()).length;
    await memory.close();
    return { codes, aborted, kept };
  });
  assert.deepEqual(answer, { codes: Array(5).fill("Storage"), aborted: "Aborted", kept: 5 });
});

/** They were raw errors of the engine's messages in a worker, and typed ones without. */
test("data that cannot be imported is refused alike with a worker and without", async () => {
  const codes = await inPage(async () => {
    const all = [];
    for (const worker of [false, true]) {
      const memory = await mnemic.openMemory({ name: "refused", storage: "memory", worker });
      const user = memory.scope({ userId: "alice" });
      const cyclic = {};
      cyclic.self = cyclic;
      const sources = [
        () => cyclic,
        async function* () { yield () => {}; },
        async function* () { yield 7; },
        () => new ReadableStream({ start(controller) { controller.enqueue(() => {}); controller.close(); } }),
      ];
      const mine = [];
      for (const source of sources) mine.push(await user.import(source()).then(() => "imported", ({ name, code }) => `${name} ${code}`));
      all.push(mine);
      const throwing = { results: [{ id: "1", memory: "Alice sings", metadata: { get all() { throw new TypeError("no"); } } }] };
      if (worker) mine.push(await user.import(throwing).then(() => "imported", ({ name, code }) => `${name} ${code}`));
      await memory.close();
    }
    return all;
  });
  assert.deepEqual(codes, [4, 5].map((count) => Array(count).fill("InvalidInputError InvalidInput")));
});

test("an encrypted memory is opened by keys of the page, and a wrong one is refused as without a worker", async () => {
  const answer = await inPage(async () => {
    const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    const open = (encryption) => mnemic.openMemory({ name: "sealed", worker: true, encryption });
    const memory = await open({ key });
    const user = memory.scope({ userId: "alice" });
    await user.facts.add("Alice sings");
    await memory.encryption.change({ passphrase: "four words nobody guesses" });
    const { by } = await memory.encryption.status();
    await memory.close();
    const refused = [];
    for (const wrong of [undefined, { key }, { passphrase: "another one entirely" }]) {
      refused.push(await open(wrong).catch(({ code, details }) => [code, details.by]));
    }
    const again = await open({ passphrase: "four words nobody guesses" });
    const texts = (await again.scope({ userId: "alice" }).facts.list()).map(({ text }) => text);
    await again.encryption.remove();
    await again.close();
    const plain = await open();
    const { encrypted } = await plain.encryption.status();
    await plain.close();
    return { by, refused, texts, encrypted };
  });
  assert.deepEqual(answer, {
    by: "passphrase",
    refused: [["Locked", "passphrase"], ["WrongKey", "passphrase"], ["WrongKey", null]].map(([code, by]) => [code, by ?? undefined]),
    texts: ["Alice sings"],
    encrypted: false,
  });
});

test("a backup goes out of one worker and into another, and a copy is kept", async () => {
  const answer = await inPage(async () => {
    const memory = await mnemic.openMemory({ name: "source", worker: true, copy: "opfs" });
    await memory.scope({ userId: "alice" }).facts.add("Alice sings");
    const bytes = new Uint8Array(await new Response(memory.export()).arrayBuffer());
    const { copy } = await memory.health();
    await memory.close();
    const other = await mnemic.openMemory({ name: "target", worker: true });
    await other.import(bytes, { mode: "replace" });
    const texts = (await other.scope({ userId: "alice" }).facts.list()).map(({ text }) => text);
    await other.close();
    return { texts, whole: bytes.length > 0, copy: copy?.kind };
  });
  assert.deepEqual(answer, { texts: ["Alice sings"], whole: true, copy: "opfs" });
});

test("a script of the app counts tokens in its worker; a function of the page is refused with the way to do it", async () => {
  const answer = await inPage(async () => {
    const refused = await mnemic.openMemory({ name: "tokens", worker: true, countTokens: (text) => text.length }).catch(({ code, message }) => [code, message]);
    const memory = await mnemic.openMemory({ name: "tokens", worker: () => new Worker("memory-worker.js", { type: "module" }) });
    const user = memory.scope({ userId: "alice" });
    await user.facts.add("Alice sings in a choir and plays the cello in an orchestra");
    const { text, tokens } = await user.recall("what does Alice do?", { maxTokens: 10_000 });
    await memory.close();
    const wrong = [];
    for (const worker of ["here", () => 7]) wrong.push(await mnemic.openMemory({ name: "tokens", worker }).catch(({ code, message }) => [code, message]));
    return { refused, isCounted: tokens === text.length, wrong };
  });
  assert.match(answer.refused.join(), /^InvalidInput,options\.countTokens: .*serveMemories\(\)/);
  assert.ok(answer.isCounted);
  assert.match(answer.wrong[0].join(), /^InvalidInput,options\.worker: "here"/);
  assert.match(answer.wrong[1].join(), /^InvalidInput,options\.worker: .*a number/);
});

test("a script that is not there is a LoadError, and the next try finds it", async () => {
  const context = await browser.newContext();
  try {
    const { page } = await workerPage(context, server.url);
    await page.route("**/script.js", (route) => route.fulfill({ status: 404 }));
    const open = () => mnemic.openMemory({ name: "late", worker: true }).then((memory) => memory.close().then(() => "opened"), (error) => `${error.name} ${error.message}`);
    assert.match(await page.evaluate(open), /^LoadError the worker cannot be started/);
    await page.unroute("**/script.js");
    assert.equal(await page.evaluate(open), "opened");
  } finally {
    await context.close();
  }
});

/** In a worker they seemed to have crashed. */
test("calls that closing the memory cuts off say that it is closed, as without a worker", async () => {
  const told = await inPage(async () => {
    const all = [];
    for (const worker of [false, true]) {
      const memory = await mnemic.openMemory({ name: "cut", storage: "memory", worker });
      const user = memory.scope({ userId: "alice" });
      const documents = Array.from({ length: 900 }, (_, number) => ({ op: "put", namespace: ["n"], key: `${number}`, value: { text: "x".repeat(9000) } }));
      const facts = Array.from({ length: 800 }, (_, number) => ({ text: `fact ${number}` }));
      const calls = [user.documents.batch(documents), user.facts.import(facts)].map((call) => call.then(() => "stored", ({ code, message }) => `${code}: ${message}`));
      await memory.close();
      all.push(await Promise.all(calls));
    }
    return all;
  });
  for (const outcome of told.flat()) assert.match(outcome, /^stored$|^Closed: the memory is closed; open it again/);
});

test("a worker that is ended in the middle of writes: the calls are told, nothing confirmed is lost, and the memory goes on", async () => {
  const answer = await inPage(async () => {
    const events = [];
    const memory = await mnemic.openMemory({ name: "killed", worker: true });
    for (const name of ["restart", "error"]) memory.on(name, (event) => events.push([name, event.code ?? event.reason.code]));
    const heard = Promise.withResolvers();
    memory.on("change", ({ cause, remote }) => heard.resolve([cause, remote]));
    const user = memory.scope({ userId: "alice" });
    const confirmed = ["The first"];
    await user.facts.add("The first");
    const failures = [];
    for (let round = 0; round < 5; round += 1) {
      const writes = Array.from({ length: 20 }, async (_, index) => {
        const text = `Fact ${index} of round ${round}`;
        try {
          await user.facts.add(text);
          confirmed.push(text);
        } catch (error) {
          failures.push(error instanceof mnemic.CrashedError ? error.code : String(error.stack));
        }
        if (index === 3 + round) workers.at(-1).terminate();
      });
      const restarted = new Promise((resolve) => memory.on("restart", resolve));
      await Promise.all(writes);
      await restarted;
      await user.facts.add(`After round ${round}`);
      confirmed.push(`After round ${round}`);
    }
    const texts = new Set((await user.facts.list({ limit: 1000 })).map(({ text }) => text));
    const lost = confirmed.filter((text) => !texts.has(text));
    await memory.close();
    return { lost, failures: [...new Set(failures)], some: failures.length > 0, events, heard: await heard.promise, started: workers.length };
  });
  assert.deepEqual(answer.lost, []);
  assert.deepEqual(answer.failures, answer.some ? ["Crashed"] : []);
  assert.deepEqual(answer.events, Array.from({ length: 5 }, () => [["error", "Crashed"], ["restart", "Crashed"]]).flat());
  assert.equal(answer.started, 6);
});

for (const kind of ["Worker", "SharedWorker"]) {
  test(`an engine that traps in a ${kind} is replaced by a fresh one, and what was confirmed is there`, async () => {
    const answer = await inPage(async (kind) => {
      const events = [];
      const memory = await mnemic.openMemory({ name: "trapped", worker: () => new globalThis[kind]("ruined-worker.js", { type: "module" }) });
      for (const name of ["restart", "error"]) memory.on(name, (event) => events.push([name, event.code ?? event.reason.code]));
      const user = memory.scope({ userId: "alice" });
      await user.facts.add("Alice sings");
      const ruined = new Promise((resolve) => (new BroadcastChannel("ruined").onmessage = resolve));
      new BroadcastChannel("ruin").postMessage("now");
      await ruined;
      const restarted = new Promise((resolve) => memory.on("restart", resolve));
      const failed = await user.facts.add("Alice paints").catch((error) => [error instanceof mnemic.CrashedError, error.message, error.cause?.code]);
      await restarted;
      await user.facts.add("Alice goes on");
      const texts = (await user.facts.list()).map(({ text }) => text).sort();
      await memory.close();
      return { failed, texts, events };
    }, kind);
    assert.equal(answer.failed[0], true);
    assert.match(answer.failed[1], /the next call goes to a fresh one/);
    assert.deepEqual(answer.texts, ["Alice goes on", "Alice sings"]);
    assert.deepEqual(answer.events, [["error", "Crashed"], ["restart", "Crashed"]]);
  });
}

test("what only a worker kept in its memory is gone with it, and nothing is begun anew in silence", async () => {
  const answer = await inPage(async () => {
    const memory = await mnemic.openMemory({ name: "volatile", storage: "memory", worker: true });
    const user = memory.scope({ userId: "alice" });
    await user.facts.add("Alice sings");
    const told = new Promise((resolve) => memory.on("error", resolve));
    workers[0].terminate();
    const { code } = await told;
    const calls = await Promise.all([user.facts.list(), user.facts.add("x")].map((call) => call.catch((error) => error.code)));
    await memory.close();
    return { code, calls, started: workers.length };
  });
  assert.deepEqual(answer, { code: "Crashed", calls: ["Crashed", "Crashed"], started: 1 });
});

test("imports run in the worker: every kind of source, with progress, aborts, and what a listener of progress throws", async () => {
  const answer = await inPage(async () => {
    const data = (prefix) => ({ results: Array.from({ length: 2500 }, (_, number) => ({ id: `${prefix}${number}`, memory: `Fact ${prefix} ${number} \ud83d\udc1d`, created_at: "2024-05-01T10:00:00Z", metadata: { skipped: undefined, nested: { list: [1, null, undefined] } } })) });
    const text = (prefix) => JSON.stringify(data(prefix));
    const cut = async function* (prefix) {
      for (let at = 0; at < text(prefix).length; at += 1000) yield text(prefix).slice(at, at + 1000);
    };
    const sources = {
      text: text("a"),
      file: new File([text("b")], "b.json"),
      bytes: new TextEncoder().encode(text("c")),
      stream: new Blob([text("d")]).stream(),
      parsed: data("e"),
      pieces: cut("f"),
    };
    const memory = await mnemic.openMemory({ name: "imports", worker: true });
    const user = memory.scope({ userId: "alice" });
    const done = {};
    const progress = [];
    for (const [name, source] of Object.entries(sources)) {
      const imported = await user.import(source, { onProgress: ({ done, total }) => progress.push([name, done, total]) });
      done[name] = [imported.format, imported.done, imported.failed.length, imported.commitIds.length > 0];
    }
    const { length } = await user.facts.search("Fact a 17 \ud83d\udc1d", { limit: 1 });
    const failures = [];
    const failing = async (source, options) => failures.push(await user.import(source, options).then(() => "imported", ({ name, message, cause }) => [name, message, String(cause)]));
    const controller = new AbortController();
    await failing(text("g"), { signal: controller.signal, onProgress: () => controller.abort(new Error("enough")) });
    await failing(text("h"), { onProgress: () => { throw new RangeError("of the app"); } });
    await failing(7);
    await failing("no known format");
    await failing(data("i"), { unknown: true });
    // A backup of the scope is an import too.
    const file = await new Response(user.export()).blob();
    const other = memory.scope({ userId: "bob" });
    const { format } = await other.import(file);
    const copied = (await other.facts.list({ limit: 10 })).length;
    const refused = await user.readOnly().import(text("j")).catch(({ code }) => code);
    await memory.close();
    return { done, progress: progress.filter(([name]) => name === "text"), length, failures, format, copied, refused };
  });
  const same = ["mem0", 2500, 0, true];
  assert.deepEqual(answer.done, { text: same, file: same, bytes: same, stream: same, parsed: same, pieces: same });
  assert.ok(answer.progress.length > 1 && answer.progress.every(([, done, total], place) => total === 2500 && done > (answer.progress[place - 1]?.[1] ?? 0)));
  assert.deepEqual(answer.progress.at(-1), ["text", 2500, 2500]);
  assert.equal(answer.length, 1);
  const [aborted, thrown, ...refusals] = answer.failures;
  assert.deepEqual([aborted[0], aborted[2]], ["AbortedError", "Error: enough"]);
  assert.deepEqual(thrown.slice(0, 2), ["RangeError", "of the app"]);
  assert.deepEqual(refusals.map(([name]) => name), ["InvalidInputError", "InvalidInputError", "InvalidInputError"]);
  assert.deepEqual([answer.format, answer.copied, answer.refused], ["mnemic", 10, "ReadOnly"]);
});
