/** The embedders that need no server: a binding of Workers, and a model in the page. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DOWNLOADS, binding, never, pipeline, transformers, vectorOf } from "./support/embedders.mjs";
import { createProject } from "./support/project.mjs";

let project, embedders;

before(async () => {
  project = await createProject();
  embedders = await project.import('export * from "mnemic/embedders";');
});

after(() => project?.remove());

test("Workers AI: more than 100 texts are embedded in several requests, in order, through the gateway", async () => {
  const ai = binding(({ text }) => ({ shape: [text.length, 2], data: text.map(vectorOf) }));
  const embedder = embedders.workersAIEmbeddings(ai, { model: "@cf/e", gateway: "gate" });
  const texts = Array.from({ length: 230 }, (_, place) => String(place));
  assert.deepEqual(await embedder.embed(texts, { signal: never() }), texts.map((text) => Float32Array.from(vectorOf(text))));
  assert.deepEqual([embedder.id, ai.requests.map(({ inputs }) => inputs.text.length)], ["@cf/e", [100, 100, 30]]);
  assert.deepEqual(ai.requests[0].options.gateway, { id: "gate" });
});

test("Workers AI: texts are cut for models that refuse long ones", async () => {
  const ai = binding(({ text }) => ({ data: text.map(vectorOf) }));
  const lengthFor = async (model) => {
    await embedders.workersAIEmbeddings(ai, { model, prefixes: false }).embed(["x".repeat(9000)], { signal: never() });
    return ai.requests.at(-1).inputs.text[0].length;
  };
  assert.deepEqual([await lengthFor("@cf/baai/bge-small-en-v1.5"), await lengthFor("@cf/baai/bge-m3")], [1500, 5000]);
});

test("Workers AI: out of capacity is tried again; other failures, silence and nonsense are typed", async () => {
  const embed = (ai, more) => embedders.workersAIEmbeddings(ai, { model: "@cf/e", ...more }).embed(["a", "b"], { signal: never() });
  const busy = binding(({ text }, count) => {
    if (count === 1) throw new Error("InferenceUpstreamError: 3040: Capacity temporarily exceeded, please try again.");
    return { data: text.map(vectorOf) };
  });
  await embed(busy);
  assert.equal(busy.requests.length, 2);
  const limited = binding(() => {
    throw new Error("3036: You have used up your daily free allocation of 10,000 neurons");
  });
  await assert.rejects(embed(limited), { code: "Embedder", message: /3036/ });
  assert.equal(limited.requests.length, 1);
  await assert.rejects(embed(binding(() => new Promise(() => {})), { timeoutMs: 20 }), { code: "Timeout" });
  await assert.rejects(embed(binding(() => ({ data: [[1]] }))), { details: { reason: "count" } });
  await assert.rejects(embed(binding(() => undefined)), { details: { reason: "shape" } });
});

test("Transformers.js: a model is loaded once, with options and progress, and embeds one batch at a time", async () => {
  const extract = pipeline();
  const module = transformers(extract);
  const progress = [];
  const embed = embedders.transformersEmbeddings({
    model: "Xenova/all-MiniLM-L6-v2",
    transformers: () => Promise.resolve(module),
    load: { dtype: "q8" },
    maxTexts: 2,
    onProgress: (told) => progress.push(told),
  });
  const [vectors] = await Promise.all([embed.embed(["a", "b", "c"], { signal: never() }), embed.embed(["d"], { signal: never() }), embed.load()]);
  assert.deepEqual(vectors, ["a", "b", "c"].map((text) => Float32Array.from(vectorOf(text))));
  assert.deepEqual(module.loads, [{ task: "feature-extraction", model: "Xenova/all-MiniLM-L6-v2", options: { dtype: "q8" } }]);
  assert.deepEqual(progress.filter(({ phase }) => phase === "download"), DOWNLOADS.transformers);
  assert.deepEqual(extract.runs.map(({ texts }) => texts), [["a", "b"], ["d"], ["c"]]);
  assert.deepEqual(extract.runs[0].options, { pooling: "mean", normalize: true });
});

test("Transformers.js: a pipeline of the app's is used as it is, and pooling follows the model", async () => {
  for (const [model, more, pooling] of [["Xenova/bge-small-en-v1.5", {}, "cls"], ["Xenova/e5-small", {}, "mean"], ["TaylorAI/bge-micro-v2", {}, "mean"], ["mixedbread-ai/mxbai-embed-xsmall-v1", {}, "mean"], ["mixedbread-ai/mxbai-embed-large-v1", {}, "cls"], ["onnx-community/Qwen3-Embedding-0.6B-ONNX", { pooling: "last_token" }, "last_token"]]) {
    const extract = pipeline();
    await embedders.transformersEmbeddings({ model, pipeline: extract, ...more }).embed(["a"], { signal: never() });
    assert.equal(extract.runs[0].options.pooling, pooling);
  }
});

test("Transformers.js: without it, or without the model, the error says what to do, and the next call tries again", async () => {
  const absent = embedders.transformersEmbeddings({ model: "m" });
  await assert.rejects(absent.embed(["a"], { signal: never() }), { code: "Embedder", message: /install @huggingface\/transformers/ });
  for (const empty of [{}, () => ({ default: {} }), () => Promise.reject(new Error("offline"))]) {
    const embed = embedders.transformersEmbeddings({ model: "m", transformers: empty });
    await assert.rejects(embed.load(), { code: "Embedder", message: /Transformers\.js cannot be loaded \((it has no pipeline|Error: offline).*install/ });
  }
  let count = 0;
  const module = transformers();
  const flaky = { pipeline: (...given) => (count++ === 0 ? Promise.reject(new Error("Could not locate file")) : module.pipeline(...given)) };
  const embed = embedders.transformersEmbeddings({ model: "m", transformers: flaky });
  await assert.rejects(embed.load(), { code: "Embedder", message: /m cannot be loaded .*Could not locate file.*huggingface\.co/ });
  assert.equal((await embed.embed(["a"], { signal: never() })).length, 1);
});

test("Transformers.js: a call that is aborted ends at once, and loading goes on", async () => {
  let load;
  const module = transformers();
  const slow = { pipeline: (...given) => new Promise((resolve) => (load = () => resolve(module.pipeline(...given)))) };
  const embed = embedders.transformersEmbeddings({ model: "m", transformers: slow });
  const controller = new AbortController();
  const aborted = embed.embed(["a"], { signal: controller.signal });
  const waiting = embed.embed(["b"], { signal: never() });
  await new Promise(setImmediate);
  controller.abort(new Error("left"));
  await assert.rejects(aborted, /left/);
  load();
  assert.equal((await waiting).length, 1);
  assert.equal(module.loads.length, 1);
});

test("Transformers.js: a pipeline that fails or answers no matrix of floats is an EmbedderError", async () => {
  const embed = (extract) => embedders.transformersEmbeddings({ model: "m", pipeline: extract }).embed(["a", "b"], { signal: never() });
  await assert.rejects(embed(() => Promise.reject(new Error("out of memory"))), { code: "Embedder", message: /out of memory.*lower maxTexts/ });
  for (const answer of [
    undefined,
    [],
    { dims: [2, 7, 2], data: new Float32Array(28) },
    { dims: [2, 2], data: new Float32Array(3) },
    { dims: [2, 2], data: new Int8Array(4) },
  ]) {
    await assert.rejects(embed(async () => answer), { code: "Embedder", details: { reason: "shape" } });
  }
  await assert.rejects(embed(async () => ({ dims: [1, 2], data: new Float32Array(2) })), { details: { reason: "count" } });
  await assert.rejects(embed(async () => ({ dims: [2, 1], data: Float32Array.of(1, NaN) })), { details: { reason: "values" } });
});
