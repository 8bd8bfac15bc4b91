/** The calls that the model of the demo makes to the memory: carried out, shown, kept, and stopped where they would not end. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Demo, desktop, phone } from "./support/demo.mjs";
import { calling, failing, saying, startEndpoint } from "./support/endpoint.mjs";
import { hostile } from "./support/hostile.mjs";
import { barriers, stickingOut, tooSmall } from "./support/sight.mjs";

/** Browsers report failed requests on the console by themselves. */
const failedRequest = /^console: Failed to load resource/;

let demo;
let endpoint;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

function withModel(run, options) {
  return async () => {
    endpoint = await startEndpoint();
    try {
      const user = await demo.open(options);
      await user.connect(endpoint);
      await run(user);
    } finally {
      await endpoint.close();
    }
  };
}

const chats = () => endpoint.requests.filter(({ response_format }) => !response_format);
const isResult = ({ role }) => role === "tool";

/** Answers each request with the next of some answers; the last one goes on. */
const inTurn = (...answers) => () => (answers.length > 1 ? answers.shift() : answers[0]);

test("the model looks into the memory and changes it; each call stands above its reply, also after a reload", withModel(async (user) => {
  await user.say("My cat is called Mimi.");
  endpoint.chat = inTurn(
    calling([["conversation_search", { query: "cat" }], ["core_memory_append", { label: "human", content: "Has a cat, Mimi." }]], "Let me look."),
    saying("Your cat is called Mimi."),
  );
  const reply = await user.say("What is my cat called?");
  await user.sees(reply.locator(".words"), /Let me look\.\s*Your cat is called Mimi\./);
  const calls = reply.getByTestId("calls");
  await user.sees(calls.locator("summary"), "Looked in memory and changed it: conversation_search, core_memory_append");
  assert.equal(await calls.getByTestId("call").first().isVisible(), false);
  const { messages } = chats().at(-1);
  const results = messages.filter(isResult);
  assert.equal(results.length, 2);
  assert.match(results[0].content, /My cat is called Mimi/);
  for (const { tool_call_id: id } of results) {
    assert.ok(messages.some(({ tool_calls: made }) => made?.some((call) => call.id === id && call.type === "function")), id);
  }
  await calls.locator("summary").click();
  await user.sees(calls.getByTestId("call").first(), /conversation_search.*ms.*"query": "cat".*My cat is called Mimi/s);
  await user.more("blocks");
  await user.sees(user.page.getByTestId("block"), "Has a cat, Mimi.");
  await user.screenshot("tool-calls");
  await user.reload();
  await calls.locator("summary").click();
  await user.sees(calls.getByTestId("call").nth(1), "Has a cat, Mimi.");
  await user.leave();
}));

test("what a model changes can be taken back", withModel(async (user) => {
  endpoint.chat = inTurn(calling([["facts_add", { text: "The user sails." }]]), saying("Noted."));
  await user.say("I sail.");
  await user.tab("facts");
  await user.sees(user.facts, "The user sails.");
  await user.page.getByTestId("undo-last").click();
  await user.facts.filter({ hasText: "The user sails." }).waitFor({ state: "detached" });
  await user.leave();
}));

test("a call that cannot be done is told to the model and shown as failed", withModel(async (user) => {
  endpoint.chat = inTurn(
    calling([["core_memory_append", { label: "nobody", content: "x" }], ["launch_rocket", { to: "the moon" }]]),
    saying("That did not work."),
  );
  const reply = await user.say("Try something.");
  await user.sees(reply.getByTestId("calls").locator("summary"), /Tried to use memory: core_memory_append, launch_rocket\s*failed/);
  const results = chats().at(-1).messages.filter(isResult);
  assert.match(results[0].content, /nobody/);
  assert.match(results[1].content, /launch_rocket/);
  await reply.getByTestId("calls").locator("summary").click();
  assert.equal(await reply.getByTestId("call").filter({ hasText: "Failed" }).count(), 2);
  await user.leave();
}));

test("a model that never stops calling is asked to answer, and then told off", withModel(async (user) => {
  endpoint.chat = calling([["facts_search", { query: "more" }]]);
  await user.composer.fill("Search for ever.");
  await user.composer.press("Enter");
  await user.sees(user.page.getByTestId("trouble"), "went on calling tools instead of answering");
  assert.equal(chats().length, 9);
  assert.deepEqual(chats().map(({ tool_choice: choice }) => choice ?? "free").slice(-2), ["free", "none"]);
  await user.sees(user.page.getByTestId("calls").locator("summary"), /facts_search\s×8/);
  endpoint.chat = saying("I found nothing.");
  await user.page.getByTestId("retry").click();
  await user.sees(user.replies, "I found nothing.");
  await user.leave();
}));

test("a failure in the middle forgets no call and makes none twice, also after a reload", withModel(async (user) => {
  endpoint.chat = ({ messages }) => (messages.some(isResult) ? failing(500, "out of order") : calling([["facts_add", { text: "The user sails." }]]));
  await user.composer.fill("Remember that I sail.");
  await user.composer.press("Enter");
  const trouble = user.page.getByTestId("trouble");
  await user.sees(trouble, "out of order");
  const calls = user.page.getByTestId("calls");
  await user.sees(calls.locator("summary"), "Changed memory: facts_add");
  await user.reload();
  await user.sees(trouble, "no reply yet");
  await user.sees(calls.locator("summary"), "Changed memory: facts_add");
  endpoint.chat = ({ messages }) => (messages.some(isResult) ? saying("Noted.") : failing(500, "it was forgotten"));
  await user.page.getByTestId("retry").click();
  await user.sees(user.replies, "Noted.");
  assert.equal(await calls.count(), 1);
  await user.tab("facts");
  await user.sees(user.facts, "The user sails.");
  assert.equal(await user.facts.filter({ hasText: "The user sails." }).count(), 1);
  await user.leave([failedRequest]);
}));

test("a reply that is stopped among calls shows them, and goes on from there", withModel(async (user) => {
  let release;
  const wait = new Promise((resolve) => { release = resolve; });
  endpoint.chat = ({ messages }) => (messages.some(isResult) ? wait.then(() => saying("Too late.")) : calling([["facts_search", { query: "sea" }]]));
  await user.composer.fill("What of the sea?");
  await user.composer.press("Enter");
  await user.sees(user.page.getByTestId("calls").locator("summary"), "Looked in memory: facts_search");
  await user.page.getByTestId("send").click();
  await user.sees(user.page.getByTestId("trouble"), "You stopped the reply.");
  await user.sees(user.page.getByTestId("calls").locator("summary"), "facts_search");
  release();
  endpoint.chat = saying("The sea is blue.");
  await user.page.getByTestId("retry").click();
  await user.sees(user.replies, "The sea is blue.");
  await user.leave();
}));

/** The ways in which servers write two calls. */
const whole = (...calls) => ({ tool_calls: calls });
const search = { id: "a", type: "function", function: { name: "facts_search", arguments: "{\"query\": \"tea\"}" } };
const add = { id: "b", type: "function", function: { name: "facts_add", arguments: "{\"text\": \"The user likes tea.\"}" } };
const streamed = (...deltas) => ({ status: 200, type: "text/event-stream", body: deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`).join("") });
const SERVERS = {
  "in one piece": { status: 200, type: "application/json", body: JSON.stringify({ choices: [{ message: { content: null, ...whole(search, add) } }] }) },
  "streamed, each whole and of the same index": streamed(whole({ index: 0, ...search }), whole({ index: 0, ...add })),
  "streamed without an index": streamed(whole(search), whole({ function: { arguments: "" } }), whole(add)),
  "streamed with objects for arguments": streamed(whole(...[search, add].map((call, index) => ({ index, ...call, function: { ...call.function, arguments: JSON.parse(call.function.arguments) } })))),
};

for (const [how, answer] of Object.entries(SERVERS)) {
  test(`calls are understood as servers write them: ${how}`, withModel(async (user) => {
    endpoint.chat = inTurn(answer, saying("Tea it is."));
    const reply = await user.say("Tea?");
    await user.sees(reply.getByTestId("calls").locator("summary"), /Looked in memory and changed it: facts_search, facts_add$/);
    const made = chats().at(-1).messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ function: called }) => JSON.parse(called.arguments)));
    assert.deepEqual(made, [{ query: "tea" }, { text: "The user likes tea." }]);
    await user.leave();
  }));
}

test("calls have to fit: neither what is asked nor what is answered makes the request larger than the window", withModel(async (user) => {
  await user.tab("window");
  await user.page.getByTestId("window-size").selectOption("2000");
  await user.say("I went to sea.");
  const searches = Array.from({ length: 3 }, () => ["archival_memory_search", { query: "dolphins" }]);
  const insert = ["archival_memory_insert", { content: "We saw dolphins again, and they saw us. ".repeat(150) }];
  endpoint.chat = ({ messages, tool_choice: choice }) => (choice === "none" ? saying("Dolphins.") : calling(messages.some(isResult) ? searches : [insert, ...searches]));
  const before = chats().length;
  const reply = await user.say("What did I see?");
  await user.sees(reply, "Dolphins.");
  const sent = chats().slice(before);
  assert.ok(sent.length >= 2 && sent.at(-1).messages.some(({ role, content }) => isResult({ role }) && content.includes("dolphins")));
  for (const { messages, tools } of sent) {
    const characters = JSON.stringify([messages, tools]).length;
    assert.ok(characters / 4 < 2000, `${characters} characters`);
  }
  await user.leave();
}));

test("a model that takes no tools is asked without them, once and for all", withModel(async (user) => {
  endpoint.chat = ({ tools }) => (tools ? failing(400, "test-model does not support tools") : saying("Hello there."));
  const reply = await user.say("Hello");
  await user.sees(reply, "Hello there.");
  assert.deepEqual(chats().map(({ tools }) => tools !== undefined), [true, false]);
  assert.match(await reply.getByTestId("part-tools").textContent(), /Tools0$/);
  await user.say("Hello again");
  assert.equal(chats().length, 3);
  await user.unfold("model-tools");
  await user.sees(user.page.getByTestId("tools-offered"), "This model cannot use tools");
  await user.leave([failedRequest]);
}));

test("tools can be switched off, and what is offered is listed", withModel(async (user) => {
  await user.unfold("model-tools");
  const offered = user.page.getByTestId("tools-offered");
  await user.sees(offered, /The model can call \d+ tools/);
  const count = Number((await offered.textContent()).match(/\d+/)[0]);
  await user.say("Hello");
  assert.equal(chats()[0].tools.length, count);
  await user.page.getByTestId("open-settings").click();
  await user.page.getByTestId("setting-tools").uncheck();
  await user.page.getByTestId("save-settings").click();
  await user.sees(offered, "Tools are switched off");
  await user.say("Hello again");
  assert.equal(chats().at(-1).tools, undefined);
  await user.reload();
  await user.page.getByTestId("open-settings").click();
  assert.equal(await user.page.getByTestId("setting-tools").isChecked(), false);
  await user.leave();
}));

for (const [device, options] of Object.entries({ desktop, phone })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`whatever a model calls, and whatever is sorted, stays text, fits and can be read: ${device}, ${colorScheme}`, withModel(async (user) => {
      const { page } = user;
      const [markup, endless, rightToLeft] = hostile;
      const looks = [barriers, stickingOut, ...(device === "phone" ? [tooSmall] : [])];
      const look = async (part) => {
        await user.screenshot(`${device}-${colorScheme}-hostile-${part}`);
        for (const finds of looks) assert.deepEqual(await finds(page), [], `${part}: ${finds.name}`);
        assert.equal(await page.locator("main img, .panel img, .panel b, main script").count(), 0, part);
      };
      endpoint.chat = ({ messages }) => (isResult(messages.at(-1))
        ? saying(`Done. ${rightToLeft}`)
        : calling([["core_memory_append", { label: "human", content: markup }], [markup, { [endless]: rightToLeft }], ["conversation_search", { query: endless }]]));
      for (let place = 0; place < 9; place += 1) await user.say(`${hostile[place % hostile.length]} ${place}`);
      await page.getByTestId("calls").last().locator("summary").click();
      await page.getByTestId("sent").last().locator("summary").click();
      await look("calls");
      if (device === "phone") await page.getByTestId("open-memory").tap();
      await user.unfold("model-tools");
      await page.getByTestId("slot").first().click();
      await page.getByTestId("segment").first().waitFor();
      for (const summary of await page.getByTestId("segment").locator("summary").all()) await summary.click();
      await page.getByTestId("segments").getByTestId("exchange").first().waitFor();
      await look("tiers");
      await user.leave();
    }, { ...options, colorScheme, reducedMotion: "reduce" }));
  }
}
