/** The embedders on a page: Transformers.js by an import map, a server of another origin, and an engine in a worker. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { launch, openPage } from "./support/browser.mjs";
import { createProject } from "./support/project.mjs";
import { serve } from "./support/server.mjs";

const imports = {
  mnemic: "./node_modules/mnemic/entry/browser.js",
  "mnemic/embedders": "./node_modules/mnemic/embedders/index.js",
  "@huggingface/transformers": "./transformers.js",
};

/** What a text is about, in place of a model: music, places, or anything else. */
const meaning = (text) => (/cello|instrument/.test(text) ? [1, 0, 0] : /Lisbon|city/.test(text) ? [0, 1, 0] : [0, 0, 1]);

/** A module of the shape of Transformers.js 4. */
const TRANSFORMERS = `
  const meaning = ${meaning};
  export const pipeline = async (task, model, { progress_callback: tell }) => {
    tell({ status: "progress", name: model, file: "onnx/model.onnx", progress: 100, loaded: 90, total: 90 });
    return async (texts) => ({ type: "float32", dims: [texts.length, 3], data: Float32Array.from(texts.flatMap(meaning)) });
  };
`;
const PAGE = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
  <script type="module">
    import * as mnemic from "mnemic";
    import * as embedders from "mnemic/embedders";
    Object.assign(globalThis, { mnemic, embedders });
  </script>`;

let project, browser, server, models;

before(async () => {
  project = await createProject({ "index.html": PAGE, "transformers.js": TRANSFORMERS });
  server = await serve(project.folder);
  models = createServer(async (request, response) => {
    const headers = { "access-control-allow-origin": new URL(server.url).origin, "access-control-allow-headers": "content-type" };
    let json = "";
    for await (const piece of request) json += piece;
    if (request.method === "OPTIONS") return response.writeHead(204, headers).end();
    response.writeHead(200, { ...headers, "content-type": "application/json" });
    response.end(JSON.stringify({ embeddings: JSON.parse(json).input.map(meaning) }));
  });
  await new Promise((listening) => models.listen(0, "127.0.0.1", listening));
  browser = await launch();
});

after(async () => {
  await browser?.close();
  models?.closeAllConnections();
  models?.close();
  await server?.close();
  await project?.remove();
});

/** Remembers and searches in the page; answers what was found, the progress, and the failures. */
const remember = async ({ kind, baseUrl, worker }) => {
  const progress = [];
  const embed =
    kind === "ollama"
      ? embedders.ollamaEmbeddings({ model: "m", baseUrl })
      : embedders.transformersEmbeddings({ model: "m", onProgress: (told) => told.phase === "download" && progress.push(told) });
  const memory = await mnemic.openMemory({ name: `${kind}-${worker}`, embed, worker });
  const user = memory.scope({ userId: "ada" });
  await user.facts.add("Ada plays the cello");
  await user.facts.add("Ada lives in Lisbon");
  const { failed } = await memory.idle();
  const found = await Promise.all(["which instrument?", "a city"].map((query) => user.facts.search(query)));
  const { byPurpose } = await memory.usage();
  await memory.close();
  return { found: found.map(([first]) => first?.text), failures: byPurpose.embed.failures, failed, progress };
};

for (const worker of [false, true]) {
  for (const kind of ["transformers", "ollama"]) {
    test(`a page finds by meaning with ${kind}, its engine ${worker ? "in a worker" : "on the page"}`, async () => {
      const context = await browser.newContext();
      const { page, complaints } = await openPage(context, server.url);
      await page.waitForFunction(() => globalThis.embedders !== undefined);
      const baseUrl = `http://127.0.0.1:${models.address().port}`;
      const { found, failures, failed, progress } = await page.evaluate(remember, { kind, baseUrl, worker });
      assert.deepEqual(found, ["Ada plays the cello", "Ada lives in Lisbon"]);
      assert.deepEqual([failures, failed, complaints], [0, [], []]);
      assert.deepEqual(progress, kind === "ollama" ? [] : [{ phase: "download", file: "onnx/model.onnx", loadedBytes: 90, totalBytes: 90 }]);
      await context.close();
    });
  }
}
