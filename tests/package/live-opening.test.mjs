/** Opening and closing what is shown, and the users it is shown to. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mnemic, project } from "./support/installed.mjs";
import { ANA, BEN, eventually, has, memory, show, turn, until, using } from "./support/live.mjs";

const { openingOf } = await import(project.path("node_modules/mnemic/live/opening.js"));
const { LiveUser, UNOPENED } = await import(project.path("node_modules/mnemic/live/user.js"));
const { threadOf } = await import(project.path("node_modules/mnemic/live/calls.js"));
const { PENDING } = await import(project.path("node_modules/mnemic/live/state.js"));
const questions = await import(project.path("node_modules/mnemic/live/questions.js"));

const { ClosedError, InvalidInputError, InvalidScopeError, LockedError, openMemory } = mnemic;

describe("opening and closing", () => {
  /** A function that opens a memory, and what became of them. */
  function opener(options = {}) {
    const opened = [];
    const open = async () => {
      const memory = await openMemory({ name: "opened", storage: "memory", ...options });
      const own = { memory, isClosed: false, closed: undefined };
      const close = memory.close.bind(memory);
      own.closed = new Promise((resolve) => {
        memory.close = () => close().then(() => ((own.isClosed = true), resolve()));
      });
      opened.push(own);
      return memory;
    };
    return { open, opened };
  }

  test("nothing is opened until it is taken; those who are given the same function share it, and the last closes it", async () => {
    const { open, opened } = opener();
    const opening = openingOf(open);
    const live = new LiveUser(opening, ANA);
    assert.equal(live.used, UNOPENED);
    const facts = show(live, questions.factsQuestion());
    await turn();
    assert.equal(opened.length, 0);
    const [one, two] = [openingOf(open).take(), openingOf(open).take()];
    await facts.until(has());
    assert.equal(opened.length, 1);
    assert.equal(live.used.memory, opened[0].memory);
    assert.deepEqual(live.used.user.scope, ANA);
    assert.equal(live.used, live.used);
    one();
    one();
    await turn();
    assert.equal(opened[0].isClosed, false);
    two();
    await opened[0].closed;
    assert.equal(facts.state, PENDING, "nothing of it is shown any more");
    assert.equal(live.used.memory, undefined);
  });

  test("let go and taken again at once, as React's strict mode does, it is opened once and not closed", async () => {
    const { open, opened } = opener();
    const opening = openingOf(open);
    opening.take()();
    const leave = opening.take();
    const { memory } = { memory: await opening.ready() };
    await turn();
    assert.deepEqual(opened.map(({ isClosed }) => isClosed), [false]);
    await memory.scope(ANA).facts.add("Ana sails");
    leave();
    await opened[0].closed;
  });

  test("gone before it is open, it is closed when it is; who comes meanwhile waits for the end and opens anew", async () => {
    const { open, opened } = opener();
    const opening = openingOf(open);
    opening.take()();
    await turn();
    const leave = opening.take();
    await opening.ready();
    assert.deepEqual(opened.map(({ isClosed }) => isClosed), [true, false]);
    leave();
    await opened[1].closed;
  });

  test("what cannot be opened is told by everything, and tried again by who comes later", async () => {
    let isBroken = true;
    const open = async () => {
      if (isBroken) throw new LockedError("a passphrase is missing");
      return memory;
    };
    const { live, leave } = using(ANA, open);
    const facts = show(live, questions.factsQuestion());
    await facts.until(({ error }) => error instanceof LockedError);
    assert.deepEqual([live.used.error.code, live.used.pending, live.used.user], ["Locked", false, undefined]);
    const late = show(live, questions.profilesQuestion());
    assert.ok(late.state.error instanceof LockedError);
    await assert.rejects(live.write((user) => user.facts.add("Ana sails")), LockedError);
    leave();
    await turn();
    isBroken = false;
    openingOf(open).take();
    await facts.until(has());
  });

  test("what cannot be opened is tried again by the next who comes, also when the last goes in the same moment or stays", async () => {
    for (const stays of [false, true]) {
      let tries = 0;
      const open = async () => {
        tries += 1;
        if (tries === 1) throw new LockedError("a passphrase is missing");
        return memory;
      };
      const { live, leave } = using(ANA, open);
      const facts = show(live, questions.factsQuestion());
      await facts.until(({ error }) => error instanceof LockedError);
      if (!stays) leave();
      live.opening.take();
      assert.equal(live.used.pending, true);
      await facts.until(has());
      assert.equal(tries, 2);
      facts.stop();
    }
  });

  test("closed by somebody else, it is opened anew by the next who comes", async () => {
    const { open, opened } = opener();
    const { live, leave } = using(ANA, open);
    const facts = show(live, questions.factsQuestion());
    await facts.until(has());
    await opened[0].memory.close();
    await facts.until(({ error }) => error instanceof ClosedError);
    leave();
    const again = live.opening.take();
    await facts.until(has());
    assert.equal(live.used.memory, opened[1].memory);
    await opened[1].memory.scope(ANA).facts.add("Ana sails");
    await facts.until(has("Ana sails"));
    again();
    await opened[1].closed;
  });

  test("what is no memory is refused", async () => {
    for (const wrong of [undefined, null, {}, "chat", Promise.resolve(memory)]) assert.throws(() => openingOf(wrong), InvalidInputError);
    const { live } = using(ANA, () => ({}));
    await until((look) => live.opening.listen(look), () => live.used.error !== undefined);
    assert.ok(live.used.error instanceof InvalidInputError);
  });

  test("a memory that is handed in is left open, and that it was closed is told", async () => {
    const { live, leave } = using();
    const facts = show(live, questions.factsQuestion());
    await facts.until(has());
    leave();
    await turn();
    await memory.scope(ANA).facts.add("Ana sails");
    openingOf(memory).take();
    await facts.until(has("Ana sails"));
    await memory.close();
    await facts.until(({ error }) => error instanceof ClosedError);
    assert.equal(facts.state.data, undefined);
  });

  test("a failure to close reaches the page", async () => {
    const path = await project.write(
      "closing.mjs",
      `import { openingOf } from "./node_modules/mnemic/live/opening.js";
       const opening = openingOf(async () => ({ scope() {}, watch: () => () => {}, close: () => Promise.reject(new Error("the disk is gone")) }));
       const leave = opening.take();
       await opening.ready();
       leave();`,
    );
    await assert.rejects(project.run(path), /the disk is gone/);
  });

  test("a thousand who come and go leave nobody behind who listens or asks", async () => {
    const watchers = new Set();
    const given = { scope: () => ({ readOnly: () => ({}) }), watch: (watcher) => (watchers.add(watcher), () => watchers.delete(watcher)), close: async () => {} };
    const open = async () => given;
    const opening = openingOf(open);
    let asked = 0;
    let told = 0;
    const ask = async () => (asked += 1);
    for (let number = 0; number < 1000; number += 1) {
      const live = new LiveUser(opening, { userId: `user ${number % 10}` });
      const leave = opening.take();
      const stops = [live.ask(questions.ownQuestion(`question ${number % 100}`, ask), () => (told += 1)), opening.listen(() => (told += 1))];
      await opening.ready();
      if (number % 3 === 0) await turn();
      for (const stop of [...stops, leave]) stop();
      if (number % 5 === 0) await turn();
      assert.ok(watchers.size <= 1);
    }
    await turn();
    await turn();
    assert.equal(watchers.size, 0);
    assert.equal(opening.isWanted, false);
    const before = [asked, told];
    assert.ok(asked > 0 && told > 0);
    const leave = opening.take();
    await opening.ready();
    for (const watcher of watchers) watcher({ name: "wiped", event: {} });
    await turn();
    assert.deepEqual([asked, told], before);
    leave();
  });

  test("listening takes nothing that waits for the app", async () => {
    const { Listeners } = await import(project.path("node_modules/mnemic/events.js"));
    const listeners = new Listeners();
    const [watched, heard] = [[], []];
    listeners.add("*", ({ name, event }) => watched.push([name, event]));
    listeners.emitOrKeep("wiped", "first");
    assert.deepEqual(watched, [["wiped", "first"]]);
    listeners.add("wiped", (event) => heard.push(event));
    await turn();
    listeners.emitOrKeep("wiped", "second");
    assert.deepEqual(heard, ["first", "second"]);
    listeners.clear();
    assert.deepEqual(watched, [["wiped", "first"], ["wiped", "second"], ["close", undefined]]);
  });
});

describe("users", () => {
  test("nobody: nothing is asked, and writing is refused", async () => {
    const { live } = using(null);
    const facts = show(live, questions.factsQuestion());
    await turn();
    assert.deepEqual([facts.asked, facts.state], [0, PENDING]);
    assert.equal(live.used.memory, memory);
    assert.equal(live.used.user, undefined);
    await assert.rejects(live.write((user) => user.facts.add("x")), InvalidInputError);
  });

  test("another user sees nothing of the one before, also when that one's answer is under way", async () => {
    await memory.scope(ANA).facts.add("Ana sails");
    const { live: ana } = using(ANA);
    const ben = new LiveUser(ana.opening, BEN);
    let answer;
    const question = questions.ownQuestion("slow", (user) => (user.scope.userId === "ana" ? new Promise((resolve) => (answer = resolve)) : user.facts.list()));
    const before = show(ana, question);
    await eventually(() => answer !== undefined);
    before.stop();
    const after = show(ben, question);
    assert.equal(after.state, PENDING);
    answer(["Ana's"]);
    await after.until(has());
    await turn();
    assert.deepEqual(after.shown.flatMap(({ data = [] }) => data), []);
  });

  test("pairs that name nobody are told as an error", async () => {
    const { live } = using({ userId: "" });
    const facts = show(live, questions.factsQuestion());
    await facts.until(({ error }) => error instanceof InvalidScopeError);
    assert.ok(live.used.error instanceof InvalidScopeError);
  });

  test("what was begun for one user is stored for that one, though another logs in before the memory is open", async () => {
    let give;
    const given = new Promise((resolve) => (give = resolve));
    const { live } = using(ANA, () => given);
    const thread = threadOf(live, "today", questions.threadQuestion("today"), PENDING);
    const stored = thread.append({ role: "user", content: "Hello!" });
    new LiveUser(live.opening, BEN);
    give(memory);
    await stored;
    assert.equal((await memory.scope(ANA).threads.messages("today")).length, 1);
    assert.equal((await memory.scope(BEN).threads.messages("today")).length, 0);
  });

  test("a lock hides everything at once, also an answer that is under way, and unlocking shows it again", async () => {
    const [key, other] = ["four words nobody guesses", "four other words for Ana"];
    await memory.encryption.change({ passphrase: key });
    const user = memory.scope(ANA);
    await user.facts.add("Ana sails");
    await user.encryption.change({ passphrase: other });
    const { live } = using();
    const facts = show(live, questions.factsQuestion());
    await facts.until(has("Ana sails"));
    let answer;
    const slow = show(live, questions.ownQuestion("slow", () => new Promise((resolve) => (answer = resolve))));
    await eventually(() => answer !== undefined);
    await user.encryption.lock();
    answer("Ana's secret");
    await facts.until(({ error }) => error instanceof LockedError);
    assert.deepEqual(facts.shown.map(({ data }) => data?.length), [0, 1, undefined, undefined].slice(-facts.shown.length));
    assert.ok(slow.shown.every((state) => state === PENDING), JSON.stringify(slow.shown));
    await user.encryption.unlock({ passphrase: other });
    await facts.until(has("Ana sails"));
  });
});
