/** An OpenAI-compatible endpoint on this machine that answers as it is told, and notes what it was asked. */
import { createServer } from "node:http";

const headers = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "authorization, content-type",
};

/** A readable answer, in pieces. */
export const saying = (text) => ({ status: 200, text });
/** Calls of tools, by name and arguments, instead of words; a few words may come before them. */
export const calling = (calls, text = "") => ({ status: 200, text, calls });
/** A failure, with the body a server might send. */
export const failing = (status, message) => ({ status, body: JSON.stringify({ error: { message } }), type: "application/json" });
/** A success that is nothing of the kind that was asked for. */
export const nonsense = { status: 200, body: "<!doctype html><title>Welcome</title>", type: "text/html" };

/** A readable answer whose connection breaks off before its end. */
export const breakingOff = (text) => ({ status: 200, text, breaks: true });

/** The smallest value a JSON Schema allows: what a model answers that finds nothing. */
export function smallest(schema, root = schema) {
  if (schema.$ref) return smallest(schema.$ref.split("/").slice(1).reduce((inner, name) => inner[name], root), root);
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.[0];
  if (choice) return smallest(choice, root);
  switch ([schema.type].flat()[0]) {
    case "array": return Array.from({ length: schema.minItems ?? 0 }, () => smallest(schema.items ?? {}, root));
    case "string": return "-".repeat(schema.minLength ?? 0);
    case "integer": case "number": return schema.minimum ?? 0;
    case "boolean": return false;
    case "null": return null;
    default: return Object.fromEntries((schema.required ?? []).map((name) => [name, smallest(schema.properties?.[name] ?? {}, root)]));
  }
}

/**
 * Starts an endpoint. `chat` answers conversations; requests that come with a schema are extractions, and are answered
 * with the smallest value of it unless `extraction` says otherwise. Both are an answer, or a function from the request to one or to a promise of one.
 *
 * @returns {Promise<{url: string, requests: object[], chat: object | Function, extraction: object | Function | null, close: () => Promise<void>}>}
 */
export async function startEndpoint() {
  const endpoint = { requests: [], chat: saying("Hello."), extraction: null };
  const server = createServer(async (request, response) => {
    if (request.method === "OPTIONS") return response.writeHead(204, headers).end();
    let json = "";
    for await (const piece of request) json += piece;
    const body = JSON.parse(json);
    endpoint.requests.push({ authorization: request.headers.authorization, path: request.url, ...body });
    const schema = body.response_format?.json_schema?.schema;
    const answer = await (schema ? extracted(endpoint.extraction, body, schema) : answered(endpoint.chat, body));
    send(response, answer, body.stream === true);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  endpoint.url = `http://127.0.0.1:${server.address().port}/v1`;
  endpoint.close = () => new Promise((closed) => {
    server.close(closed);
    server.closeAllConnections();
  });
  return endpoint;
}

function extracted(extraction, body, schema) {
  return answered(extraction, body) ?? saying(JSON.stringify(smallest(schema)));
}

const answered = (answer, body) => (typeof answer === "function" ? answer(body) : answer);

function send(response, { status, text, calls = [], body, type, breaks }, stream) {
  if (text === undefined) return response.writeHead(status, { ...headers, "Content-Type": type }).end(body);
  if (!stream) {
    const tools = calls.map(([name, given], place) => ({ id: `id-${place}`, type: "function", function: { name, arguments: JSON.stringify(given) } }));
    const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: text, ...(tools.length > 0 && { tool_calls: tools }) } }];
    return response.writeHead(200, { ...headers, "Content-Type": "application/json" })
      .end(JSON.stringify({ choices, usage: { prompt_tokens: 10, completion_tokens: 5 } }));
  }
  response.writeHead(200, { ...headers, "Content-Type": "text/event-stream" });
  const write = (delta) => response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
  for (const content of text.match(/\S+\s*/g) ?? []) write({ content });
  calls.forEach(([name, given], index) => {
    write({ tool_calls: [{ index, id: `id-${index}`, type: "function", function: { name, arguments: "" } }] });
    for (const piece of JSON.stringify(given).match(/.{1,7}/gs)) write({ tool_calls: [{ index, function: { arguments: piece } }] });
  });
  if (breaks) return response.flushHeaders(), setImmediate(() => response.destroy());
  response.end("data: [DONE]\n\n");
}

/** The endpoint of the test that runs. */
export let endpoint;

/** Runs a test beside an endpoint of its own. */
export async function withEndpoint(run) {
  endpoint = await startEndpoint();
  try {
    await run();
  } finally {
    await endpoint.close();
  }
}

/** The conversations that it was asked to continue. */
export const chats = () => endpoint.requests.filter(({ response_format }) => !response_format);
