/** The adapters to models, against servers that answer as real ones do. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

const KEY = "sk-very-secret";
const SCHEMA = { type: "object", properties: { facts: { type: "array" } } };

let project, adapters, mnemic;

before(async () => {
  project = await createProject();
  adapters = await project.import('export * from "mnemic/adapters";');
  mnemic = await project.import('export * from "mnemic";');
});

after(() => project?.remove());

/** A `fetch` that answers by `answer(body)` and keeps what it was asked. */
function server(answer) {
  const requests = [];
  const fetch = async (url, { headers, body, signal }) => {
    signal?.throwIfAborted();
    requests.push({ url, headers, body: JSON.parse(body), signal });
    const [status, content] = answer(JSON.parse(body));
    return new Response(typeof content === "string" ? content : JSON.stringify(content), { status, statusText: "Status" });
  };
  return { fetch, requests, forms: () => requests.map(({ body }) => body.response_format?.type ?? "text") };
}

const said = (content) => [200, { choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }] }];

const request = (more) => ({
  purpose: "extract",
  messages: [
    { role: "system", content: "Extract." },
    { role: "user", content: "I sing." },
  ],
  maxTokens: 256,
  signal: new AbortController().signal,
  ...more,
});

const model = (fetch, more) => adapters.openAICompatible({ baseUrl: "https://host/v1/", apiKey: KEY, model: "m", fetch, ...more });

test("a request carries model, messages, limit, schema, key and signal", async () => {
  const { fetch, requests } = server(() => said('{"facts":[]}'));
  const asked = request({ schema: SCHEMA });
  assert.equal(await model(fetch, { headers: { "x-team": "blue" } })(asked), '{"facts":[]}');
  const [{ url, headers, body, signal }] = requests;
  assert.equal(url, "https://host/v1/chat/completions");
  assert.equal(headers.authorization, `Bearer ${KEY}`);
  assert.equal(headers["x-team"], "blue");
  assert.equal(signal, asked.signal);
  assert.deepEqual(body, {
    model: "m",
    messages: asked.messages,
    max_tokens: 256,
    response_format: { type: "json_schema", json_schema: { name: "answer", schema: SCHEMA } },
  });
});

test("free text is asked for without a form, and without a key there is no header for it", async () => {
  const { fetch, requests } = server(() => said("hello"));
  assert.equal(await model(fetch, { apiKey: undefined })(request()), "hello");
  assert.equal("response_format" in requests[0].body, false);
  assert.equal("authorization" in requests[0].headers, false);
});

for (const [known, forms] of [
  ["json_object", ["json_schema", "json_object"]],
  ["text", ["json_schema", "json_object", "text"]],
]) {
  test(`a server that knows only ${known} is found out once`, async () => {
    const { fetch, forms: asked } = server(({ response_format: form }) =>
      (form?.type ?? "text") === known ? said("{}") : [400, { error: { message: "unknown response_format" } }],
    );
    const llm = model(fetch);
    assert.equal(await llm(request({ schema: SCHEMA })), "{}");
    assert.deepEqual(asked(), forms);
    await llm(request({ schema: SCHEMA }));
    assert.deepEqual(asked(), [...forms, known]);
  });
}

test("a model that wants max_completion_tokens gets it", async () => {
  const { fetch, requests } = server((body) =>
    "max_tokens" in body ? [400, { error: { message: "Use 'max_completion_tokens' instead." } }] : said("{}"),
  );
  await model(fetch)(request({ schema: SCHEMA }));
  assert.equal(requests.at(-1).body.max_completion_tokens, 256);
  assert.equal(requests.at(-1).body.response_format.type, "json_schema");
});

test("a request that is refused in every form fails, and the next one begins with the strictest form again", async () => {
  const { fetch, forms } = server(() => [400, { error: { message: "the prompt is too long" } }]);
  const llm = model(fetch);
  await assert.rejects(llm(request({ schema: SCHEMA })), /m: the server answered 400 Status: .*too long/);
  await assert.rejects(llm(request({ schema: SCHEMA })));
  assert.deepEqual(forms(), ["json_schema", "json_object", "text", "json_schema", "json_object", "text"]);
});

test("an error names the status and a short body, and never the key", async () => {
  const { fetch, requests } = server(() => [401, `Wrong key ${KEY} ${"x".repeat(5000)}`]);
  await assert.rejects(model(fetch)(request({ schema: SCHEMA })), (error) => {
    assert.ok(error instanceof mnemic.ModelError);
    assert.equal(error.details.status, 401);
    assert.match(error.message, /401 Status: Wrong key \[key\]/);
    assert.ok(error.message.length < 400);
    assert.ok(!JSON.stringify([error.message, error.stack, error.details]).includes(KEY));
    return true;
  });
  assert.equal(requests.length, 1);
});

test("an answer without text says why", async () => {
  const refusing = server(() => [200, { choices: [{ message: { content: null, refusal: "I cannot" } }] }]);
  await assert.rejects(model(refusing.fetch)(request()), /no text: I cannot/);
  const cut = server(() => [200, { choices: [{ message: { content: "" }, finish_reason: "length" }] }]);
  await assert.rejects(model(cut.fetch)(request()), /no text: length/);
  const empty = server(() => [200, {}]);
  await assert.rejects(model(empty.fetch)(request()), mnemic.ModelError);
});

test("what a server counted comes with the text", async () => {
  const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
  const counted = { inputTokens: 12, outputTokens: 3 };
  const { fetch } = server(() => [200, { ...said('{"facts":[]}')[1], usage }]);
  assert.deepEqual(await model(fetch)(request({ schema: SCHEMA })), { content: '{"facts":[]}', usage: counted });
  const memory = await mnemic.openMemory({ name: "usage", storage: "memory", llm: model(fetch), extraction: { graph: false } });
  try {
    await memory.scope({ userId: "ada" }).generate({ messages: { role: "user", content: "I sing." } });
    const { calls, inputTokens, outputTokens } = await memory.usage();
    assert.deepEqual([calls, inputTokens, outputTokens], [1, 12, 3]);
  } finally {
    await memory.close();
  }
});

/** A server on this machine that answers `answer(body)`, and the bodies it was sent. */
async function listen(context, answer) {
  const bodies = [];
  const server = createServer(async (request, response) => {
    let json = "";
    for await (const piece of request) json += piece;
    bodies.push(JSON.parse(json));
    const [status, content] = answer(bodies.at(-1), bodies.length);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  context.after(() => (server.closeAllConnections(), server.close()));
  return { bodies, llm: adapters.openAICompatible({ baseUrl: `http://127.0.0.1:${server.address().port}/v1`, model: "m" }) };
}

/** An answer with calls, as servers write them. */
const called = (...calls) => [
  200,
  {
    choices: [{
      index: 0,
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: null,
        tool_calls: calls.map(([name, args], index) => ({ id: `call_${index}`, type: "function", function: { name, arguments: args } })),
      },
    }],
    usage: { prompt_tokens: 1000, completion_tokens: 20 },
  },
];

/** Takes a step with a server's model. */
async function step(llm, said) {
  const memory = await mnemic.openMemory({ name: "step", storage: "memory", llm, extraction: { auto: false }, summaries: { auto: false } });
  const user = memory.scope({ userId: "ada" });
  try {
    return [await user.context.step(said), await user.context.blocks.get("human")];
  } finally {
    await memory.close();
  }
}

const SENDS = ["send_message", JSON.stringify({ message: "Hello Ada!" })];
const APPENDS = ["core_memory_append", JSON.stringify({ label: "human", content: "Name: Ada" })];

test("functions are sent as tools, and calls of them are carried out", async (context) => {
  const { bodies, llm } = await listen(context, (_, count) => (count === 1 ? called(APPENDS) : called(SENDS)));
  const [{ sent, calls, stopped, usage }, human] = await step(llm, "I am Ada.");
  assert.deepEqual([sent, stopped], [["Hello Ada!"], "sent"]);
  assert.deepEqual(calls.map(({ name, ok }) => [name, ok]), [["core_memory_append", true], ["send_message", true]]);
  assert.equal(human.value, "Name: Ada");
  assert.deepEqual([usage.calls, usage.inputTokens, usage.outputTokens], [2, 2000, 40]);
  for (const { tools, response_format: form } of bodies) {
    assert.equal(form, undefined);
    assert.equal(tools.length, 10);
    for (const { type, function: { name, description, parameters } } of tools) {
      assert.deepEqual([type, typeof name, typeof description, parameters.type], ["function", "string", "string", "object"]);
    }
  }
});

test("what a model calls wrongly is told to it, and plain words are a reply", async (context) => {
  const answers = [called(["format_disk", "{}"]), called(["send_message", "{"]), called([undefined, undefined]), said("Just words.")];
  const { bodies, llm } = await listen(context, (_, count) => answers[count - 1]);
  const [{ sent, calls, stopped }] = await step(llm, "Hi");
  assert.deepEqual([sent, stopped, bodies.length], [["Just words."], "reply", 4]);
  assert.deepEqual(calls.map(({ name, ok }) => [name, ok]), [["format_disk", false], ["send_message", false]]);
});

for (const [status, message] of [
  [400, "registry.ollama.ai/library/gemma:2b does not support tools"],
  [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  [422, "Extra inputs are not permitted"],
  [500, "tools param requires --jinja flag"],
  [404, "No endpoints found that support tool use."],
]) {
  test(`a server that answers ${status} to tools is asked for JSON: ${message}`, async (context) => {
    const { bodies, llm } = await listen(context, ({ tools }) =>
      tools ? [status, { error: { message } }] : said(JSON.stringify({ toolCalls: [{ name: "send_message", arguments: { message: "Hello Ada!" } }] })),
    );
    assert.deepEqual((await step(llm, "Hi"))[0].sent, ["Hello Ada!"]);
    assert.deepEqual(bodies.map((body) => [body.tools?.length, body.response_format?.type]), [[10, undefined], [undefined, "json_schema"]]);
    await step(llm, "Hi again");
    assert.equal(bodies.length, 3, "it is found out once");
  });
}

test("a server that fails for another reason is not asked for another form", async (context) => {
  const { bodies, llm } = await listen(context, () => [500, { error: { message: "out of memory" } }]);
  await assert.rejects(step(llm, "Hi"), { code: "Model", message: /500.*out of memory/ });
  assert.equal(bodies.length, 1);
});

test("an aborted request is not sent", async () => {
  const { fetch, requests } = server(() => said("x"));
  await assert.rejects(model(fetch)(request({ signal: AbortSignal.abort() })), { name: "AbortError" });
  assert.equal(requests.length, 0);
});

test("the browser's own model is null where there is none or it is not downloaded", async (context) => {
  assert.equal(await adapters.builtInModel(), null);
  context.after(() => delete globalThis.LanguageModel);
  for (const availability of ["unavailable", "downloadable", "downloading"]) {
    globalThis.LanguageModel = { availability: async () => availability, create: () => assert.fail("a download") };
    assert.equal(await adapters.builtInModel(), null);
  }
});

test("the browser's own model is given the system prompt, the rest and the schema, and its session is ended", async (context) => {
  context.after(() => delete globalThis.LanguageModel);
  const seen = { ended: 0 };
  globalThis.LanguageModel = {
    availability: async () => "available",
    create: async (options) => {
      seen.create = options;
      return {
        prompt: async (messages, more) => {
          Object.assign(seen, { messages, more });
          if (messages[0].content === "fail") throw new Error("no");
          return "{}";
        },
        destroy: () => (seen.ended += 1),
      };
    },
  };
  const llm = await adapters.builtInModel();
  const asked = request({ schema: SCHEMA });
  assert.equal(await llm(asked), "{}");
  assert.deepEqual(seen.create.initialPrompts, [{ role: "system", content: "Extract." }]);
  assert.deepEqual(seen.messages, [{ role: "user", content: "I sing." }]);
  assert.equal(seen.more.responseConstraint, SCHEMA);
  assert.equal(seen.more.signal, asked.signal);
  await assert.rejects(llm(request({ messages: [{ role: "user", content: "fail" }] })), /no/);
  assert.equal(seen.ended, 2);
});

/** A binding to Workers AI that answers by `answer(inputs)` and keeps what it was asked. */
function binding(answer) {
  const requests = [];
  return { requests, run: async (model, inputs, options) => (requests.push({ model, inputs, options }), answer(inputs)) };
}

test("Workers AI: a schema is asked for in JSON mode, the object and the tokens come back, and the signal and gateway go along", async () => {
  const ai = binding(() => ({ response: { facts: [] }, usage: { prompt_tokens: 7, completion_tokens: 5 } }));
  const asked = request({ schema: SCHEMA });
  const answer = await adapters.workersAI(ai, { model: "@cf/m", gateway: "gate" })(asked);
  assert.deepEqual(answer, { content: '{"facts":[]}', usage: { inputTokens: 7, outputTokens: 5 } });
  assert.deepEqual(ai.requests, [{
    model: "@cf/m",
    inputs: { messages: asked.messages, max_tokens: 256, response_format: { type: "json_schema", json_schema: SCHEMA } },
    options: { signal: asked.signal, gateway: { id: "gate" } },
  }]);
});

test("Workers AI: a model without JSON mode is asked for text from then on; one that failed once is asked again", async () => {
  for (const [message, forms] of [["5006: response_format is unknown", [true, false, false]], ["5024: JSON Mode couldn't be met", [true, false, true, false]]]) {
    const ai = binding(({ response_format: form }) => {
      if (form) throw new Error(message);
      return { choices: [{ message: { content: '{"facts":[]}' } }] };
    });
    const llm = adapters.workersAI(ai, { model: "@cf/m" });
    for (let again = 0; again < 2; again += 1) assert.equal(await llm(request({ schema: SCHEMA })), '{"facts":[]}');
    assert.deepEqual(ai.requests.map(({ inputs }) => "response_format" in inputs), forms);
  }
});

test("Workers AI: functions go as tools, and calls come back, old and new", async () => {
  const tools = [{ name: "facts_add", description: "adds", parameters: { type: "object" } }];
  for (const call of [{ name: "facts_add", arguments: { text: "x" } }, { function: { name: "facts_add", arguments: { text: "x" } } }]) {
    const ai = binding(() => ({ tool_calls: [call] }));
    assert.deepEqual(await adapters.workersAI(ai, { model: "@cf/m" })(request({ tools, schema: SCHEMA })), { toolCalls: [{ name: "facts_add", arguments: { text: "x" } }] });
    assert.deepEqual(ai.requests[0].inputs.tools, [{ type: "function", function: tools[0] }]);
    assert.equal("response_format" in ai.requests[0].inputs, false);
  }
});

test("Workers AI: failures and empty answers are typed", async () => {
  const refusing = binding(() => {
    throw new Error("3040: Capacity temporarily exceeded");
  });
  await assert.rejects(adapters.workersAI(refusing, { model: "@cf/m" })(request({ schema: SCHEMA })), (error) => error.code === "Model" && /3040/.test(error.message));
  assert.equal(refusing.requests.length, 1);
  for (const answer of [undefined, {}, { response: "" }, { choices: [] }]) {
    await assert.rejects(adapters.workersAI(binding(() => answer), { model: "@cf/m" })(request()), { code: "Model" });
  }
});
