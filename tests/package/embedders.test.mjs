/** The embedders, above all those with a server, which is slow, fails and answers nonsense. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DOWNLOADS, base64, binding, listen, never, pipeline, transformers, vectorOf } from "./support/embedders.mjs";
import { createProject } from "./support/project.mjs";

const KEY = "sk-very-secret";

let project, embedders, mnemic;

before(async () => {
  project = await createProject();
  embedders = await project.import('export * from "mnemic/embedders";');
  mnemic = await project.import('export * from "mnemic";');
});

after(() => project?.remove());

const answered = (input) => [200, { data: input.map((text, index) => ({ index, embedding: base64(vectorOf(text)) })) }];
const openAI = ({ url }, more) => embedders.openAIEmbeddings({ baseUrl: `${url}/v1`, model: "m", ...more });

test("OpenAI: vectors are asked for as bytes, and come as Float32Array in the order of the texts", async (context) => {
  const server = await listen(context, ({ body: { input } }) => {
    const [status, { data }] = answered(input);
    return [status, { data: data.reverse() }];
  });
  const embed = openAI(server, { apiKey: KEY, dimensions: 2, headers: { "x-team": "blue" } });
  assert.equal(embed.id, "m@2");
  const vectors = await embed.embed(["a", "bb", "ccc"], { signal: never() });
  assert.deepEqual(vectors, ["a", "bb", "ccc"].map((text) => Float32Array.from(vectorOf(text))));
  const [{ path, body, headers }] = server.requests;
  assert.deepEqual([path, headers.authorization, headers["x-team"]], ["/v1/embeddings", `Bearer ${KEY}`, "blue"]);
  assert.deepEqual(body, { model: "m", input: ["a", "bb", "ccc"], encoding_format: "base64", dimensions: 2 });
});

test("OpenAI: a server that answers numbers is understood, and one that refuses bytes is found out once", async (context) => {
  const numbers = await listen(context, ({ body: { input } }) => [200, { data: input.map((text) => ({ embedding: vectorOf(text) })) }]);
  assert.deepEqual(await openAI(numbers).embed(["a"], { signal: never() }), [Float32Array.from(vectorOf("a"))]);
  const old = await listen(context, ({ body: { input, encoding_format: format } }) =>
    format === "float" ? [200, { data: input.map((text) => ({ embedding: vectorOf(text) })) }] : [422, "unknown encoding_format"],
  );
  const embed = openAI(old);
  await embed.embed(["a"], { signal: never() });
  await embed.embed(["b"], { signal: never() });
  assert.deepEqual(old.requests.map(({ body }) => body.encoding_format), ["base64", "float", "float"]);
});

test("texts go in batches by number and by characters, in order, and a text longer than a batch goes alone", async (context) => {
  const server = await listen(context, ({ body: { input } }) => answered(input));
  const texts = ["aa", "bb", "cc", "dddddddddddd", "ee", "f"];
  const vectors = await openAI(server, { maxTexts: 2, maxCharacters: 10 }).embed(texts, { signal: never() });
  assert.deepEqual(server.requests.map(({ body }) => body.input), [["aa", "bb"], ["cc"], ["dddddddddddd"], ["ee", "f"]]);
  assert.deepEqual(vectors, texts.map((text) => Float32Array.from(vectorOf(text))));
});

test("of a long text the beginning is embedded, and no character is cut in half", async (context) => {
  const server = await listen(context, ({ body: { input } }) => answered(input));
  await openAI(server, { maxTextCharacters: 4 }).embed(["abcdef", "abc😀", "ab😀c", "abcd"], { signal: never() });
  assert.deepEqual(server.requests[0].body.input, ["abcd", "abc", "ab😀"]);
});

test("a text is sent once, also within a call; what is answered is the caller's", async (context) => {
  const server = await listen(context, ({ body: { input } }) => answered(input));
  const embed = openAI(server);
  const [first, , again] = await embed.embed(["a", "b", "a"], { signal: never() });
  assert.deepEqual(first, again);
  first.fill(7);
  assert.deepEqual(await embed.embed(["b", "a", "c"], { signal: never() }), ["b", "a", "c"].map((text) => Float32Array.from(vectorOf(text))));
  assert.deepEqual(server.requests.map(({ body }) => body.input), [["a", "b"], ["c"]]);
});

test("what is kept is bounded by bytes: what was used longest ago goes first, and 0 keeps nothing", async (context) => {
  const server = await listen(context, ({ body: { input } }) => answered(input));
  const asked = () => server.requests.splice(0).map(({ body }) => body.input);
  // An entry of one character and two numbers counts 110 bytes.
  const embed = openAI(server, { maxCacheBytes: 230 });
  for (const text of ["a", "b", "a", "c", "a", "b"]) await embed.embed([text], { signal: never() });
  assert.deepEqual(asked(), [["a"], ["b"], ["c"], ["b"]]);
  const forgetful = openAI(server, { maxCacheBytes: 0 });
  for (const text of ["a", "a"]) await forgetful.embed([text], { signal: never() });
  assert.deepEqual(asked(), [["a"], ["a"]]);
});

test("when a later batch fails, the earlier ones are kept", async (context) => {
  const server = await listen(context, ({ body: { input }, count }) => (count === 2 ? [500, "out of memory"] : answered(input)));
  const embed = openAI(server, { maxTexts: 1 });
  await assert.rejects(embed.embed(["a", "b"], { signal: never() }), { code: "Embedder", details: { status: 500 } });
  await embed.embed(["a", "b"], { signal: never() });
  assert.deepEqual(server.requests.map(({ body }) => body.input), [["a"], ["b"], ["b"]]);
});

for (const status of [429, 503]) {
  test(`a server that answers ${status} is asked again, after the time that it says`, async (context) => {
    const server = await listen(context, ({ body: { input }, count }) => (count < 3 ? [status, "busy", { "retry-after": "0" }] : answered(input)));
    assert.equal((await openAI(server).embed(["a"], { signal: never() })).length, 1);
    assert.equal(server.requests.length, 3);
  });
}

test("a server that stays busy fails with its status; one that asks for too long a wait fails at once", async (context) => {
  const busy = await listen(context, () => [429, "slow down", { "retry-after": "0" }]);
  await assert.rejects(openAI(busy, { retries: 1 }).embed(["a"], { signal: never() }), (error) => {
    assert.ok(error instanceof mnemic.EmbedderError);
    assert.deepEqual(error.details, { status: 429, retryAfterMs: 0 });
    assert.match(error.message, /^m: the server answered 429 .*slow down; ask less often/);
    return true;
  });
  assert.equal(busy.requests.length, 2);
  const closed = await listen(context, () => [503, "closed", { "retry-after": "3600" }]);
  await assert.rejects(openAI(closed).embed(["a"], { signal: never() }), { details: { status: 503, retryAfterMs: 3_600_000 } });
  assert.equal(closed.requests.length, 1);
  const dated = await listen(context, () => [503, "closed", { "retry-after": new Date(Date.now() + 86_400_000).toUTCString() }]);
  await assert.rejects(openAI(dated).embed(["a"], { signal: never() }), ({ details }) => details.retryAfterMs > 86_000_000);
});

test("a signal ends the wait for a busy server", async (context) => {
  const controller = new AbortController();
  const server = await listen(context, () => {
    setImmediate(() => controller.abort(new Error("left")));
    return [429, "busy", { "retry-after": "9" }];
  });
  await assert.rejects(openAI(server).embed(["a"], { signal: controller.signal }), /left/);
  assert.equal(server.requests.length, 1);
});

test("another failure is not tried again, names status and body and what to do, and never the key", async (context) => {
  for (const [status, cure] of [[400, /maxTextCharacters/], [401, /check the key/], [404, /check the address/], [413, /maxCharacters/], [500, /500/]]) {
    const server = await listen(context, () => [status, `No: ${KEY} ${"x".repeat(5000)}`]);
    await assert.rejects(openAI(server, { apiKey: KEY }).embed(["a"], { signal: never() }), (error) => {
      assert.deepEqual([error.code, error.details.status], ["Embedder", status]);
      assert.match(error.message, cure);
      assert.match(error.message, /No: \[key\]/);
      assert.ok(!JSON.stringify([error.message, error.stack, error.details]).includes(KEY));
      return true;
    });
    assert.equal(server.requests.length, status === 400 ? 2 : 1, "400 may mean the format");
  }
});

test("a server that does not answer, or stops in the middle, is a TimeoutError, and its connection is closed", async (context) => {
  const silent = await listen(context, () => undefined);
  await assert.rejects(openAI(silent, { timeoutMs: 50 }).embed(["a"], { signal: never() }), (error) => {
    assert.ok(error instanceof mnemic.TimeoutError);
    assert.match(error.message, /^m did not answer within 50 ms; raise timeoutMs/);
    return true;
  });
  const stuck = await listen(context, (_, response) => void response.writeHead(200, { "content-type": "application/json" }).write('{"data":['));
  await assert.rejects(openAI(stuck, { timeoutMs: 50 }).embed(["a"], { signal: never() }), { code: "Timeout" });
  while (!silent.requests[0].closed || !stuck.requests[0].closed) await new Promise(setImmediate);
});

test("a signal ends a request, with its reason, and before one nothing is sent", async (context) => {
  const controller = new AbortController();
  const server = await listen(context, () => void controller.abort(new Error("changed my mind")));
  await assert.rejects(openAI(server).embed(["a"], { signal: controller.signal }), /changed my mind/);
  await assert.rejects(openAI(server).embed(["a"], { signal: controller.signal }), /changed my mind/);
  assert.equal(server.requests.length, 1);
});

test("a server that is not there, or answers no JSON, is an EmbedderError that says what to check", async (context) => {
  const page = await listen(context, () => [200, "<html>Sign in</html>"]);
  await assert.rejects(openAI(page).embed(["a"], { signal: never() }), { code: "Embedder", message: /no answer that can be read \(.*JSON.*address/ });
  await assert.rejects(openAI({ url: "http://127.0.0.1:1" }).embed(["a"], { signal: never() }), { code: "Embedder", message: /check that it runs/ });
});

const NONSENSE = [
  ["shape", {}],
  ["shape", { data: "vectors" }],
  ["shape", { data: [{ embedding: [1] }, { embedding: null }] }],
  ["shape", { data: [{ embedding: [1] }, null] }],
  ["shape", { data: [{ embedding: [1] }, { embedding: [] }] }],
  ["shape", { data: [{ index: 0, embedding: [1] }, { index: 0, embedding: [1] }] }],
  ["shape", { data: [{ index: 0, embedding: [1] }, { index: 7, embedding: [1] }] }],
  ["shape", { data: [{ embedding: "no base64!" }, { embedding: [1] }] }],
  ["shape", { data: [{ embedding: "AAA=" }, { embedding: [1] }] }],
  ["count", { data: [{ embedding: [1] }] }],
  ["count", { data: [{ embedding: [1] }, { embedding: [1] }, { embedding: [1] }] }],
  ["dimensions", { data: [{ embedding: [1, 2] }, { embedding: [1] }] }],
  ["values", { data: [{ embedding: [1, "2"] }, { embedding: [1, 2] }] }],
  ["values", { data: [{ embedding: [1, null] }, { embedding: [1, 2] }] }],
  ["values", { data: [{ embedding: base64([1, NaN]) }, { embedding: [1, 2] }] }],
  ["values", { data: [{ embedding: [1, 1e300] }, { embedding: [1, 2] }] }],
];

for (const [reason, content] of NONSENSE) {
  test(`nonsense is an EmbedderError with the reason ${reason}: ${JSON.stringify(content)}`, async (context) => {
    const server = await listen(context, () => [200, content]);
    await assert.rejects(openAI(server).embed(["a", "b"], { signal: never() }), (error) => {
      assert.ok(error instanceof mnemic.EmbedderError, String(error.stack));
      assert.equal(error.details.reason, reason);
      assert.match(error.message, /^m answered .*; (check|lower|try)/);
      return true;
    });
  });
}

test("vectors of other dimensions than before, or than asked for, are refused", async (context) => {
  const server = await listen(context, ({ body: { input }, count }) => [200, { data: input.map(() => ({ embedding: Array(count + 1).fill(1) })) }]);
  const embed = openAI(server);
  await embed.embed(["a"], { signal: never() });
  await assert.rejects(embed.embed(["b"], { signal: never() }), { message: /3 values in vector 0, and 2 elsewhere/, details: { reason: "dimensions" } });
  await assert.rejects(openAI(server, { dimensions: 2 }).embed(["b"], { signal: never() }), { details: { reason: "dimensions" } });
});

test("limits out of their range are refused", () => {
  for (const more of [{ maxTexts: 0 }, { maxCharacters: 1.5 }, { maxTextCharacters: 1 }, { maxCacheBytes: -1 }, { timeoutMs: 0 }, { retries: 11 }, { dimensions: 0 }]) {
    assert.throws(() => openAI({ url: "http://x" }, more), { code: "InvalidInput", message: new RegExp(Object.keys(more)[0]) });
  }
});

/** Each embedder with what it needs. */
const makers = () => ({
  openAI: (options) => embedders.openAIEmbeddings(options && { baseUrl: "http://x", model: "m", ...options }),
  ollama: (options) => embedders.ollamaEmbeddings(options && { model: "m", ...options }),
  transformers: (options) => embedders.transformersEmbeddings(options && { model: "m", ...options }),
  workersAI: (options) => embedders.workersAIEmbeddings(binding(({ text }) => ({ data: text.map(vectorOf) })), options && { model: "m", ...options }),
});

const OF_ALL = { maxTexts: 1, maxCharacters: 1, maxTextCharacters: 2, maxCacheBytes: 0, prefixes: { query: "q", document: "" }, onProgress() {} };
const OF_REQUESTS = { timeoutMs: 1, retries: 0 };
const OF_SERVER = { apiKey: "", headers: {}, fetch: async () => {}, dimensions: 1 };
const OPTIONS = {
  openAI: { ...OF_ALL, ...OF_REQUESTS, ...OF_SERVER, baseUrl: "/models/v1" },
  ollama: { ...OF_ALL, ...OF_REQUESTS, ...OF_SERVER, baseUrl: "HTTP://[::1]:11434", pull: false },
  transformers: { ...OF_ALL, transformers: {}, pipeline() {}, load: {}, pooling: "cls" },
  workersAI: { ...OF_ALL, ...OF_REQUESTS, gateway: "g" },
};

/** What was wrong: a forgotten model was "Cannot read properties of undefined", and a name that is no option was ignored. */
const WRONG = {
  openAI: [["baseUrl", undefined], ["baseUrl", "x"], ["baseUrl", "localhost:11434"], ["baseUrl", "http://"], ["baseUrl", new URL("http://x")], ["apiKey", 7], ["headers", new Headers()], ["fetch", "x"], ["pull", true]],
  ollama: [["baseUrl", "x"], ["pull", "yes"], ["gateway", "g"]],
  transformers: [["pooling", "max"], ["pipeline", Promise.resolve()], ["load", "q8"], ["dimensions", 2], ["timeoutMs", 5]],
  workersAI: [["gateway", { id: "g" }], ["dimensions", 2]],
};
const WRONG_OF_ALL = [["batch", 3], ["model", undefined], ["model", ""], ["model", 7], ["maxTexts", "8"], ["prefixes", true], ["prefixes", { query: "q: " }], ["onProgress", true]];

for (const [kind, wrong] of Object.entries(WRONG)) {
  test(`${kind}: all of its options are taken; others, and values that make no sense, are refused by their names`, () => {
    const make = makers()[kind];
    assert.equal(typeof make(OPTIONS[kind]).embed, "function");
    assert.equal(typeof make({ prefixes: false }).embed, "function");
    for (const [name, value] of [...wrong, ...WRONG_OF_ALL]) {
      assert.throws(() => make({ [name]: value }), { code: "InvalidInput", message: new RegExp(`^options\\.${name}: .*; `) }, `${name}: ${String(value)}`);
    }
    for (const nothing of [undefined, null]) assert.throws(() => make(nothing), { code: "InvalidInput", message: /^options.*; pass/ });
  });
}

test("what is refused tells the value and the options there are, and never the key", () => {
  const { openAI: make, workersAI } = makers();
  assert.throws(() => make({ baseUrl: "x" }), { message: /^options\.baseUrl: "x" is not allowed here; pass .*http:\/\/localhost:11434\/v1/, details: { path: "options.baseUrl" } });
  assert.throws(() => make({ batch: 3 }), { message: /^options\.batch: unknown option; the options are .*maxTexts/ });
  assert.throws(() => make({ apiKey: [KEY] }), ({ message }) => !message.includes(KEY));
  for (const ai of [undefined, {}]) assert.throws(() => embedders.workersAIEmbeddings(ai, { model: "m" }), { code: "InvalidInput", message: /^ai: .*env\.AI/ });
  assert.throws(() => workersAI({ maxTexts: 0 }), { message: /^options\.maxTexts: 0; pass a whole number from 1 to 10000$/ });
});

/** What Ollama answers to a pull, in pieces that are no lines. */
const PULLED = [
  { status: "pulling manifest" },
  { status: "pulling 797b70c4edf8", digest: "sha256:797b", total: 45949216 },
  { status: "pulling 797b70c4edf8", digest: "sha256:797b", total: 45949216, completed: 20000000 },
  { status: "pulling 797b70c4edf8", digest: "sha256:797b", total: 45949216, completed: 45949216 },
  { status: "verifying sha256 digest" },
  { status: "success" },
].map((line) => `${JSON.stringify(line)}\n`).join("");

/** Options of each embedder with which it is answered at once. */
const ANSWERING = {
  openAI: () => ({ fetch: async (_, { body }) => Response.json(answered(JSON.parse(body).input)[1]) }),
  ollama() {
    let isHere = false;
    const fetch = async (url, { body }) => {
      if (!url.endsWith("/api/pull")) return isHere ? Response.json({ embeddings: JSON.parse(body).input.map(vectorOf) }) : new Response("", { status: 404 });
      isHere = true;
      return new Response(PULLED);
    };
    return { pull: true, fetch };
  },
  transformers: () => ({ transformers: transformers() }),
  workersAI: () => ({}),
};

for (const [kind, downloads] of Object.entries(DOWNLOADS)) {
  const making = (more) => makers()[kind]({ ...ANSWERING[kind](), maxTexts: 2, ...more });

  test(`${kind}: progress tells the download, and how many texts that were not cached have their vector`, async () => {
    const progress = [];
    const embed = making({ onProgress: (told) => progress.push(told) });
    await embed.embed(["a"], { signal: never() });
    await embed.embed(["a", "b", "c", "b", "d"], { signal: never() });
    await embed.embed(["a", "b"], { signal: never() });
    const embedded = [[1, 1], [2, 3], [3, 3]].map(([done, total]) => ({ phase: "embed", done, total }));
    assert.deepEqual(progress, [...downloads, ...embedded]);
  });

  test(`${kind}: an onProgress that throws disturbs neither the download nor the vectors; the global error handler gets what it throws`, async () => {
    const thrown = [];
    const before = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException").on("uncaughtException", ({ message }) => thrown.push(message));
    try {
      const embed = making({ onProgress: ({ phase }) => { throw new Error(phase); } });
      assert.deepEqual(await embed.embed(["a"], { signal: never() }), [Float32Array.from(vectorOf("a"))]);
      await new Promise(setImmediate);
    } finally {
      process.removeAllListeners("uncaughtException");
      for (const listener of before) process.on("uncaughtException", listener);
    }
    assert.deepEqual(thrown, [...downloads.map(() => "download"), "embed"]);
  });
}

test("progress of a call ends with the batch that fails; the next call has the rest to do", async (context) => {
  const server = await listen(context, ({ body: { input }, count }) => (count === 2 ? [500, "out of memory"] : answered(input)));
  const progress = [];
  const embed = openAI(server, { maxTexts: 1, onProgress: ({ done, total }) => progress.push([done, total]) });
  await assert.rejects(embed.embed(["a", "b"], { signal: never() }));
  await embed.embed(["a", "b"], { signal: never() });
  assert.deepEqual(progress, [[1, 2], [1, 1]]);
});

test("options that are changed later change nothing", async (context) => {
  const server = await listen(context, ({ body: { input } }) => answered(input));
  const options = { baseUrl: `${server.url}/v1`, model: "m" };
  const embed = embedders.openAIEmbeddings(options);
  options.baseUrl = "http://127.0.0.1:1";
  assert.equal((await embed.embed(["a"], { signal: never() })).length, 1);
});

for (const [model, document, query] of [
  ["intfloat/multilingual-e5-small", "passage: ", "query: "],
  ["Xenova/e5-base-v2", "passage: ", "query: "],
  ["intfloat/multilingual-e5-large-instruct", "", ""],
  ["nomic-embed-text:v1.5", "search_document: ", "search_query: "],
  ["@cf/baai/bge-small-en-v1.5", "", "Represent this sentence for searching relevant passages: "],
  ["BAAI/bge-base-zh-v1.5", "", "为这个句子生成表示以用于检索相关文章："],
  ["@cf/baai/bge-m3", "", ""],
  ["mxbai-embed-large", "", "Represent this sentence for searching relevant passages: "],
  ["mixedbread-ai/mxbai-embed-xsmall-v1", "", ""],
  ["mixedbread-ai/deepset-mxbai-embed-de-large-v1", "", ""],
  ["snowflake-arctic-embed:22m", "", "Represent this sentence for searching relevant passages: "],
  ["snowflake-arctic-embed2", "", "query: "],
  ["Snowflake/snowflake-arctic-embed-m-v2.0", "", "query: "],
  ["embeddinggemma", "title: none | text: ", "task: search result | query: "],
  ["Xenova/all-MiniLM-L6-v2", "", ""],
  ["text-embedding-3-small", "", ""],
]) {
  test(`${model} is given the words it expects, and its id tells those before documents`, async (context) => {
    const server = await listen(context, ({ body: { input } }) => answered(input));
    const embed = openAI(server, { model });
    await embed.embed(["x"], { signal: never() });
    await embed.embed(["y"], { signal: never(), purpose: "query" });
    assert.deepEqual(server.requests.map(({ body }) => body.input), [[`${document}x`], [`${query}y`]]);
    assert.equal(embed.id, document === "" ? model : `${model}+${document.trim()}`);
  });
}

test("words of your own go before texts, or none", async (context) => {
  const server = await listen(context, ({ body: { input } }) => answered(input));
  const own = openAI(server, { model: "e5-small", prefixes: { query: "q: ", document: "d: " } });
  await own.embed(["x"], { signal: never() });
  const none = openAI(server, { model: "e5-small", prefixes: false });
  await none.embed(["x"], { signal: never() });
  assert.deepEqual(server.requests.map(({ body }) => body.input), [["d: x"], ["x"]]);
  assert.deepEqual([own.id, none.id], ["e5-small+d:", "e5-small"]);
});

const ollama = ({ url }, more) => embedders.ollamaEmbeddings({ baseUrl: url, model: "all-minilm", ...more });

test("Ollama: its own interface is asked, with dimensions", async (context) => {
  const server = await listen(context, ({ body: { input } }) => [200, { model: "all-minilm", embeddings: input.map(vectorOf) }]);
  const embed = ollama(server, { dimensions: 2 });
  assert.deepEqual(await embed.embed(["a", "b"], { signal: never() }), ["a", "b"].map((text) => Float32Array.from(vectorOf(text))));
  assert.deepEqual(server.requests.map(({ path, body }) => [path, body]), [["/api/embed", { model: "all-minilm", input: ["a", "b"], dimensions: 2 }]]);
  assert.equal(embed.id, "all-minilm@2");
});

test("Ollama: nonsense and a missing model say what to do", async (context) => {
  const nonsense = await listen(context, () => [200, { embedding: [1] }]);
  await assert.rejects(ollama(nonsense).embed(["a"], { signal: never() }), { code: "Embedder", details: { reason: "shape" } });
  const missing = await listen(context, () => [404, { error: 'model "all-minilm" not found, try pulling it first' }]);
  await assert.rejects(ollama(missing).embed(["a"], { signal: never() }), { details: { status: 404 }, message: /ollama pull all-minilm.*pull: true/ });
  assert.equal(missing.requests.length, 1);
});

test("Ollama: a missing model is downloaded once, however many ask, with progress", async (context) => {
  let isHere = false;
  const server = await listen(context, async ({ path, body }, response) => {
    if (path === "/api/embed") return isHere ? [200, { embeddings: body.input.map(vectorOf) }] : [404, { error: "model not found" }];
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    for (let start = 0; start < PULLED.length; start += 50) {
      response.write(PULLED.slice(start, start + 50));
      await new Promise(setImmediate);
    }
    isHere = true;
    response.end();
  });
  const progress = [];
  const embed = ollama(server, { pull: true, onProgress: (told) => progress.push(told) });
  await Promise.all([embed.embed(["a"], { signal: never() }), embed.embed(["b"], { signal: never() })]);
  assert.deepEqual(server.requests.filter(({ path }) => path === "/api/pull").map(({ body }) => body), [{ model: "all-minilm" }]);
  assert.deepEqual(progress.filter(({ phase }) => phase === "download"), DOWNLOADS.ollama);
});

test("Ollama: a download that fails or breaks off is an EmbedderError", async (context) => {
  for (const [lines, told] of [['{"error":"pull model manifest: file does not exist"}\n', /file does not exist/], ['{"status":"pulling manifest"}\n', /broke off/], ["<html>", /JSON/]]) {
    const server = await listen(context, ({ path }) => (path === "/api/pull" ? [200, lines] : [404, { error: "model not found" }]));
    await assert.rejects(ollama(server, { pull: true }).embed(["a"], { signal: never() }), { code: "Embedder", message: told });
  }
});

test("a memory embeds with an embedder, finds by meaning, and tells what failed", async (context) => {
  let isBusy = false;
  const meaning = (text) => (/cello|instrument/.test(text) ? [1, 0, 0] : /Lisbon|city/.test(text) ? [0, 1, 0] : [0, 0, 1]);
  const server = await listen(context, ({ body: { input } }) =>
    isBusy ? [401, "who are you?"] : [200, { data: input.map((text, index) => ({ index, embedding: base64(meaning(text)) })) }],
  );
  const memory = await mnemic.openMemory({ name: "embedders", storage: "memory", embed: openAI(server) });
  try {
    const user = memory.scope({ userId: "ada" });
    await user.facts.add("Ada plays the cello");
    await user.facts.add("Ada lives in Lisbon");
    await memory.idle();
    assert.equal((await user.facts.search("which instrument?"))[0].text, "Ada plays the cello");
    isBusy = true;
    const { warnings } = await user.recall("Which towns?");
    assert.match(warnings.map(({ message }) => message).join(), /401.*check the key/);
  } finally {
    await memory.close();
  }
});
