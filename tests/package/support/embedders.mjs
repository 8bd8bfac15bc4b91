/** What embedders are tried with: a server on this machine, a binding, and pipelines of the shape of real ones. */
import assert from "node:assert/strict";
import { createServer } from "node:http";

export const never = () => new AbortController().signal;
export const base64 = (vector) => Buffer.from(Float32Array.from(vector).buffer).toString("base64");
/** A vector that tells which text it is of: all its character codes, and its length. */
export const vectorOf = (text) => [...text].reduce(([sum, count], character) => [(sum * 31 + character.codePointAt(0)) % 1_000_003, count + 1], [0, 0]);

/**
 * A server on this machine.
 *
 * @param answer what it answers to `({ path, body, headers, count })`: `[status, content, headers]`, or undefined for nothing at all
 */
export async function listen(context, answer) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let json = "";
    for await (const piece of request) json += piece;
    const asked = { path: request.url, body: JSON.parse(json), headers: request.headers, closed: false };
    response.on("close", () => (asked.closed = true));
    requests.push(asked);
    const answered = await answer({ ...asked, count: requests.length }, response);
    if (answered === undefined) return;
    const [status, content, headers = {}] = answered;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof content === "string" ? content : JSON.stringify(content));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  context.after(() => (server.closeAllConnections(), server.close()));
  return { requests, url: `http://127.0.0.1:${server.address().port}` };
}

/** A binding to Workers AI that answers by `answer(inputs, count)` and keeps what it was asked. */
export function binding(answer) {
  const requests = [];
  return { requests, run: async (model, inputs, options) => answer(inputs, requests.push({ model, inputs, options })) };
}

/** A pipeline of the shape of Transformers.js 4: a function that answers a tensor; a session must not be run twice at once. */
export function pipeline() {
  const runs = [];
  let isRunning = false;
  const extract = async (texts, options) => {
    assert.equal(isRunning, false, "Session already started");
    isRunning = true;
    runs.push({ texts, options });
    await new Promise(setImmediate);
    isRunning = false;
    return { type: "float32", dims: [texts.length, 2], data: Float32Array.from(texts.flatMap(vectorOf)), size: texts.length * 2 };
  };
  return Object.assign(extract, { runs });
}

/** The module of Transformers.js, which tells what it tells while it loads a model. */
export function transformers(extract = pipeline()) {
  const loads = [];
  return {
    loads,
    pipeline: async (task, model, { progress_callback: tell, ...options }) => {
      loads.push({ task, model, options });
      const file = { name: model, file: "onnx/model.onnx" };
      tell?.({ status: "initiate", ...file });
      tell?.({ status: "download", ...file });
      tell?.({ status: "progress", ...file, progress: 50, loaded: 45, total: 90 });
      tell?.({ status: "progress_total", name: model, progress: 50, loaded: 45, total: 90, files: {} });
      tell?.({ status: "done", ...file });
      tell?.({ status: "ready", task, model });
      return extract;
    },
  };
}

/** What each embedder downloads first. */
export const DOWNLOADS = {
  openAI: [],
  ollama: [0, 20000000, 45949216].map((loadedBytes) => ({ phase: "download", file: "sha256:797b", loadedBytes, totalBytes: 45949216 })),
  transformers: [{ phase: "download", file: "onnx/model.onnx", loadedBytes: 45, totalBytes: 90 }],
  workersAI: [],
};
