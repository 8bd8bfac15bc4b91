/** Threads that are shown page by page, and undoing. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mnemic, project } from "./support/installed.mjs";
import { ANA, has, memory, show, turn, using } from "./support/live.mjs";

const { threadOf, undoOf } = await import(project.path("node_modules/mnemic/live/calls.js"));
const { PENDING } = await import(project.path("node_modules/mnemic/live/state.js"));
const questions = await import(project.path("node_modules/mnemic/live/questions.js"));

const { InvalidInputError, NotFoundError } = mnemic;

describe("threads", () => {
  const say = (count, from = 0) => Array.from({ length: count }, (_, index) => ({ role: "user", content: `Message ${from + index}`, createdAt: 1_700_000_000_000 + (from + index) * 1000 }));
  const contents = ({ data }) => data?.messages.map(({ content }) => content);

  test("show the newest page, oldest first, then a page more at a time, over the most of one call", async () => {
    const user = memory.scope(ANA);
    for (let from = 0; from < 1100; from += 100) await user.threads.append(say(100, from), { threadId: "long" });
    const { live } = using();
    const question = questions.threadQuestion("long", { pageSize: 500 });
    const thread = show(live, question);
    const calls = () => threadOf(live, "long", question, thread.state);
    await thread.until(({ data }) => data !== undefined);
    for (const [length, hasEarlier] of [[500, true], [1000, true], [1100, false]]) {
      assert.deepEqual([thread.state.data.messages.length, calls().hasEarlier], [length, hasEarlier]);
      assert.deepEqual(contents(thread.state), say(1100).slice(-length).map(({ content }) => content));
      await calls().showEarlier();
    }
    const before = thread.shown.length;
    await calls().append({ role: "user", content: "The newest", createdAt: 1_800_000_000_000 });
    await thread.until((state) => contents(state).at(-1) === "The newest");
    assert.equal(thread.state.data.messages.length, 1101);
    assert.ok(thread.shown.slice(0, before).every(({ pending }) => !pending), "nothing disappears while a page is fetched");
  });

  test("a turn recalls what the model is not sent, stores the message, asks, and stores the reply", async () => {
    const user = memory.scope(ANA);
    await user.facts.add("Ana's boat lies in Faro");
    await user.threads.append([{ role: "user", content: "The mast of my boat is made of spruce.", createdAt: 1_600_000_000_000 }, ...say(51)], { threadId: "today" });
    const { live } = using();
    const { send } = threadOf(live, "today", questions.threadQuestion("today"), PENDING);
    const asked = [];
    const model = (remembered, messages) => {
      asked.push({ remembered, contents: messages.map(({ content }) => content) });
      return "Spruce.";
    };
    assert.equal(await send("What is the mast of my boat made of?", model), "Spruce.");
    const [{ remembered, contents }] = asked;
    assert.match(remembered, /made of spruce/, "what is in the thread but no longer sent");
    assert.deepEqual(contents, [...say(50, 1).map(({ content }) => content), "What is the mast of my boat made of?"]);
    assert.doesNotMatch(remembered, /Message \d/);
    await send("Where does my boat lie?", model, { filter: { text: { $exists: false } } });
    assert.doesNotMatch(asked[1].remembered, /Faro/, "a filter of the app counts too");
    assert.deepEqual((await user.threads.messages("today", { order: "desc", limit: 4 })).map(({ role, content }) => `${role}: ${content}`), [
      "assistant: Spruce.", "user: Where does my boat lie?", "assistant: Spruce.", "user: What is the mast of my boat made of?",
    ]);
  });

  test("when the model fails the message stays, and sending it again is the same turn", async () => {
    const { live } = using();
    const { send } = threadOf(live, "today", questions.threadQuestion("today"), PENDING);
    await assert.rejects(send("Hello!", () => Promise.reject(new Error("offline"))), /offline/);
    let messages;
    await send("Hello!", (_, given) => ((messages = given), "Hi!"));
    assert.deepEqual(messages.map(({ role, content }) => [role, content]), [["user", "Hello!"]]);
    const stored = () => memory.scope(ANA).threads.messages("today");
    assert.deepEqual((await stored()).map(({ content }) => content), ["Hello!", "Hi!"]);
    // Answered, it is said once more.
    await send("Hello!", () => "Again?");
    assert.deepEqual((await stored()).map(({ content }) => content), ["Hello!", "Hi!", "Hello!", "Again?"]);
  });

  test("a page of a wrong size is told", async () => {
    const { live } = using();
    for (const pageSize of [0, -1, 1.5, 501, "5", NaN, null]) {
      const thread = show(live, questions.threadQuestion("today", { pageSize }));
      await thread.until(({ error }) => error instanceof InvalidInputError && /pageSize/.test(error.message));
    }
  });

  test("have exactly a page, and none", async () => {
    const user = memory.scope(ANA);
    await user.threads.append(say(2), { threadId: "short" });
    const { live } = using();
    const two = show(live, questions.threadQuestion("short", { pageSize: 2 }));
    await two.until(({ data }) => data !== undefined);
    assert.deepEqual([contents(two.state), two.state.data.hasEarlier], [["Message 0", "Message 1"], false]);
    const none = show(live, questions.threadQuestion("none"));
    await none.until(({ data }) => data !== undefined);
    assert.deepEqual(none.state.data, { messages: [], hasEarlier: false });
  });

  test("what is appended is stored when the call resolves, and a refused one is not shown", async () => {
    const { live } = using();
    const thread = show(live, questions.threadQuestion("today"));
    const calls = threadOf(live, "today", questions.threadQuestion("today"), thread.state);
    const { messageIds } = await calls.remember({ role: "user", content: "I live in Lisbon." });
    assert.equal((await memory.scope(ANA).threads.messages("today"))[0].id, messageIds[0]);
    await thread.until((state) => contents(state)?.length === 1);
    await assert.rejects(calls.append({ role: "nobody", content: "x" }), InvalidInputError);
    await turn();
    assert.deepEqual(thread.shown.flatMap(contents).filter((content) => content === "x"), []);
    await memory.idle();
    assert.deepEqual((await memory.scope(ANA).facts.list()).map(({ text }) => text), ["The user lives in Lisbon."]);
  });
});

describe("undo", () => {
  test("undoes the last, then the one before, and what it is told; with nothing left it says so", async () => {
    const user = memory.scope(ANA);
    const { live } = using();
    const commits = show(live, questions.commitsQuestion({ limit: 10 }));
    const facts = show(live, questions.factsQuestion());
    const undo = () => undoOf(live, commits.state);
    await commits.until(({ data }) => data?.length === 0);
    await assert.rejects(undo().undo(), NotFoundError);
    await user.facts.add("Ana sails");
    await user.facts.add("Ana rows");
    await commits.until(({ data }) => data?.length === 2);
    assert.equal(undo().last.summary, "You added a fact");
    await undo().undo();
    await facts.until(has("Ana sails"));
    await commits.until(({ data }) => data?.length === 3);
    const { commitId } = await undo().undo();
    await facts.until(has());
    await commits.until(({ data }) => data?.length === 4);
    assert.equal(undo().last, undefined);
    await undo().undo(commitId);
    await facts.until(has("Ana sails"));
    await assert.rejects(undo().undo("01a20897-7330-7919-911a-9e358df108d9"), NotFoundError);
  });
});
