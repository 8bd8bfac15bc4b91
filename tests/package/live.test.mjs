/** What shows a memory and stays current, beneath every framework: questions, their answers, opening and closing. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { mnemic, project } from "./support/installed.mjs";

const { openingOf } = await import(project.path("node_modules/mnemic/live/opening.js"));
const { LiveUser, UNOPENED } = await import(project.path("node_modules/mnemic/live/user.js"));
const { StandingUser } = await import(project.path("node_modules/mnemic/live/standing.js"));
const questions = await import(project.path("node_modules/mnemic/live/questions.js"));
const { threadOf, undoOf } = await import(project.path("node_modules/mnemic/live/calls.js"));
const { kept, PENDING } = await import(project.path("node_modules/mnemic/live/state.js"));

const { ClosedError, InvalidInputError, InvalidScopeError, LockedError, NotFoundError, openMemory } = mnemic;

const ANA = { userId: "ana" };
const BEN = { userId: "ben" };

/** Waits until what is known is as wanted; `listen` says when to look again. */
function until(listen, isWanted) {
  return new Promise((resolve) => {
    const look = () => {
      if (!isWanted()) return;
      stop();
      resolve();
    };
    const stop = listen(look);
    look();
  });
}

/** Shows a question, as a component does, and counts how often it is asked and shown. */
function show(live, question) {
  const shown = { asked: 0, shown: [] };
  const counted = question && {
    ...question,
    ask: (...given) => {
      shown.asked += 1;
      return question.ask(...given);
    },
  };
  const listeners = new Set();
  shown.stop = live.ask(counted, () => {
    shown.shown.push(shown.state);
    for (const listener of [...listeners]) listener();
  });
  Object.defineProperty(shown, "state", { get: () => live.state(counted) });
  shown.until = (isWanted) => until((look) => (listeners.add(look), () => listeners.delete(look)), () => isWanted(shown.state));
  return shown;
}

const texts = ({ data }) => data?.map(({ text }) => text).sort();
const has = (...wanted) => (state) => JSON.stringify(texts(state)) === JSON.stringify(wanted);
/** Until all that was begun at once is done: promises, and what waits for the end of a turn. */
const turn = () => new Promise((resolve) => setTimeout(resolve));

/** Waits for what nothing tells of. */
const eventually = (isWanted) => until((look) => ((timer) => () => clearInterval(timer))(setInterval(look)), isWanted);

let memory;

beforeEach(async () => {
  memory = await openMemory({ name: "live", storage: "memory", profiles: { settings: { type: "object", properties: { city: { type: "string" } } } } });
});

afterEach(() => memory.close());

/** The user of the open memory, which is taken until the function is called. */
function using(pairs = ANA, given = memory) {
  const opening = openingOf(given);
  return { live: new LiveUser(opening, pairs), leave: opening.take() };
}

describe("questions", () => {
  test("are pending, answered, and asked again once for each change that concerns them", async () => {
    const { live, leave } = using();
    const facts = show(live, questions.factsQuestion({ limit: 10 }));
    assert.equal(facts.state, PENDING);
    await facts.until(has());
    assert.equal(facts.asked, 1);

    const user = memory.scope(ANA);
    await user.facts.add("Ana sails");
    await facts.until(has("Ana sails"));
    assert.equal(facts.asked, 2);

    await user.profiles.set("settings", "city", "Lisbon");
    await memory.scope(BEN).facts.add("Ben rows");
    await user.recall("Who sails?");
    await memory.idle();
    await turn();
    assert.equal(facts.asked, 2, "a field, another user's fact and reading are none of its business");
    leave();
  });

  test("share an answer by their key, in whatever order a scope has its pairs", async () => {
    const { live } = using({ userId: "ana", app: "kitchen" });
    const other = new LiveUser(live.opening, { app: "kitchen", userId: "ana" });
    const one = show(live, questions.factsQuestion({ limit: 3 }));
    const two = show(other, questions.factsQuestion({ limit: 3 }));
    await one.until(has());
    assert.equal(one.state, two.state);
    assert.deepEqual([one.asked, two.asked], [1, 0]);
    await memory.scope({ app: "kitchen", userId: "ana" }).facts.add("Ana cooks");
    await two.until(has("Ana cooks"));
    assert.deepEqual([one.asked, two.asked], [2, 0]);
  });

  test("are not asked again by who comes back at once, and forgotten when nobody does", async () => {
    const { live } = using();
    const first = show(live, questions.factsQuestion());
    first.stop();
    const second = show(live, questions.factsQuestion());
    await second.until(has());
    assert.deepEqual([first.asked, second.asked], [1, 0]);
    second.stop();
    await turn();
    assert.equal(live.state(questions.factsQuestion()), PENDING);
    await memory.scope(ANA).facts.add("Ana sails");
    await turn();
    assert.deepEqual([first.asked, second.asked], [1, 0]);
  });

  test("see many changes at once in one go, and never an older answer after a newer one", async () => {
    const { live } = using();
    let answer;
    let asked = 0;
    const question = questions.ownQuestion("slow", () => ((asked += 1), new Promise((resolve) => (answer = resolve))));
    const slow = show(live, question);
    await eventually(() => asked === 1);
    for (let number = 0; number < 20; number += 1) await memory.scope(ANA).facts.add(`Fact ${number}`);
    assert.equal(asked, 1, "one at a time");
    answer("old");
    await slow.until(({ data }) => data === "old");
    await eventually(() => asked === 2);
    answer("new");
    await slow.until(({ data }) => data === "new");
    await turn();
    assert.equal(asked, 2);
  });

  test("are asked again no more often than a screen shows answers, however fast one change follows the other", async () => {
    let tell;
    const given = { scope: () => ({ readOnly: () => ({}) }), watch: (watcher) => ((tell = watcher), () => {}), close: async () => {} };
    const { live } = using(ANA, given);
    let changes = 0;
    const question = show(live, questions.ownQuestion("counting", async () => changes));
    await question.until(({ data }) => data === 0);
    while (changes < 500) {
      changes += 1;
      tell({ name: "change", event: { cause: "user", scope: ANA, changes: [{ kind: "fact" }] } });
      // Long enough for an answer, and no timer comes in between.
      for (let step = 0; step < 20; step += 1) await undefined;
    }
    await question.until(({ data }) => data === 500);
    assert.equal(question.asked, 2);
  });

  test("what a listener throws reaches neither the others nor the next answer, but the global error handler", async () => {
    const { live } = using();
    const thrown = [];
    const before = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException").on("uncaughtException", ({ message }) => thrown.push(message));
    const stops = [];
    try {
      stops.push(live.ask(questions.factsQuestion(), () => { throw new Error("the app's own"); }));
      stops.push(live.opening.listen(() => { throw new Error("the app's other own"); }));
      const facts = show(live, questions.factsQuestion());
      await facts.until(has());
      await memory.scope(ANA).facts.add("Ana sails");
      await facts.until(has("Ana sails"));
      await turn();
      for (const stop of stops) stop();
      assert.deepEqual([...new Set(thrown)].sort(), ["the app's other own", "the app's own"]);
    } finally {
      process.removeAllListeners("uncaughtException");
      for (const listener of before) process.on("uncaughtException", listener);
    }
  });

  test("an answer that goes round in a circle is told as an error when it cannot be compared", async () => {
    const { live } = using();
    const round = () => {
      const answer = {};
      return Object.assign(answer, { answer });
    };
    let isRound = true;
    const question = show(live, questions.ownQuestion("round", async () => (isRound ? round() : "straight")));
    await question.until(({ data }) => data !== undefined);
    await memory.scope(ANA).facts.add("Ana sails");
    await question.until(({ error }) => error instanceof RangeError);
    isRound = false;
    await memory.scope(ANA).facts.add("Ana rows");
    await question.until(({ data }) => data === "straight");
  });

  test("tell why there is no answer, and ask again when something changes", async () => {
    const { live } = using();
    const bad = show(live, questions.factsQuestion({ limit: 0 }));
    await bad.until(({ error }) => error !== undefined);
    assert.ok(bad.state.error instanceof InvalidInputError);
    assert.deepEqual([bad.state.data, bad.state.pending], [undefined, false]);

    let isBroken = true;
    const failing = show(live, questions.ownQuestion("failing", async () => {
      if (isBroken) throw new RangeError("the app's own");
      return "well";
    }));
    await failing.until(({ error }) => error instanceof RangeError);
    isBroken = false;
    await memory.scope(ANA).facts.add("Ana sails");
    await failing.until(({ data }) => data === "well");
  });

  test("cannot change anything, and leave no trace", async () => {
    const { live } = using();
    const writing = show(live, questions.ownQuestion("writing", (user) => user.facts.add("Ana sails")));
    await writing.until(({ error }) => error?.code === "ReadOnly");
    assert.deepEqual(await memory.scope(ANA).facts.list(), []);
  });

  test("are asked again after events that may have changed everything, and not after a failure that asking may have caused", async () => {
    let tell;
    const given = { scope: () => ({ readOnly: () => ({}) }), watch: (watcher) => ((tell = watcher), () => {}), close: async () => {} };
    const { live } = using(ANA, given);
    let asked = 0;
    const question = show(live, questions.ownQuestion("counting", async () => (asked += 1)));
    await question.until(({ data }) => data === 1);
    const lock = (scope) => ({ scope, locked: true });
    const commit = (cause, kind, scope = ANA) => ({ name: "change", event: { cause, scope, changes: [{ kind }] } });
    for (const event of [
      { name: "error", event: { code: "Storage" } },
      { name: "extraction", event: { state: "started" } },
      { name: "lock", event: lock(BEN) },
      commit("access", "fact"),
      commit("user", "task"),
      commit("user", "fact", BEN),
    ]) tell(event);
    await turn();
    assert.equal(asked, 1);
    let expected = 1;
    for (const event of [
      { name: "error", event: { code: "Locked" } },
      { name: "error", event: { code: "Crashed" } },
      { name: "restart", event: {} },
      { name: "wiped", event: {} },
      { name: "lock", event: lock(ANA) },
      commit("embed", "fact"),
      commit("forget", "message"),
      { name: "close" },
    ]) {
      tell(event);
      expected += 1;
      await question.until(({ data }) => data === expected);
    }
  });

  /** Who typed saw nothing for a moment at each letter. */
  describe("that follow one another", () => {
    const lock = { name: "lock", event: { scope: ANA, locked: true } };

    /** A part of a page that asks for what somebody types; `tell` is the memory's, and `answer` those that are awaited. */
    function typing() {
      const page = { answers: {}, shown: [] };
      const given = { scope: () => ({ readOnly: () => ({}) }), watch: (watcher) => ((page.tell = watcher), () => {}), close: async () => {} };
      const user = new StandingUser(using(ANA, given).live);
      let [question, stop] = [undefined, () => {}];
      const listeners = new Set();
      page.type = (key) => {
        question = key && questions.ownQuestion(key, () => new Promise((resolve, reject) => (page.answers[key] = { resolve, reject })));
        // As frameworks do: what is known is read before it is listened to.
        page.shown.push(page.state);
        stop();
        stop = user.ask(question, () => {
          page.shown.push(page.state);
          for (const listener of [...listeners]) listener();
        });
      };
      page.stop = () => stop();
      Object.defineProperty(page, "state", { get: () => user.state(question) });
      page.until = (isWanted) => until((look) => (listeners.add(look), () => listeners.delete(look)), () => isWanted(page.state));
      page.answered = async (key, data) => {
        await eventually(() => page.answers[key]);
        page.answers[key].resolve(data);
        await page.until((state) => state.data === data && !state.stale);
      };
      return page;
    }
    const short = ({ data, error, pending, stale }) => [data ?? error?.message, pending, stale];

    test("keep the last answer until the next is there, and say so", async () => {
      const page = typing();
      page.type("s");
      assert.deepEqual(short(page.state), [undefined, true, false]);
      await page.answered("s", "sails");
      page.shown.length = 0;
      page.type("sa");
      page.type("sai");
      assert.equal(page.state, page.state, "the same object until something changes");
      await page.answered("sai", "sailing");
      assert.deepEqual(page.shown.map(short), [["sails", false, true], ["sails", false, true], ["sailing", false, false]]);
      page.type("sa");
      assert.deepEqual(short(page.state), ["sailing", false, true]);
    });

    test("end with what is empty, with an error, and with who was shown", async () => {
      const page = typing();
      page.type("s");
      await page.answered("s", "sails");
      page.type("");
      assert.deepEqual(short(page.state), [undefined, true, false]);
      page.type("r");
      assert.deepEqual(short(page.state), [undefined, true, false]);
      await eventually(() => page.answers.r);
      page.answers.r.reject(new Error("no"));
      await page.until(({ error }) => error !== undefined);
      page.type("ro");
      assert.deepEqual(short(page.state), [undefined, true, false]);
      await page.answered("ro", "rows");
      page.stop();
      await turn();
      page.type("row");
      assert.deepEqual(short(page.state), [undefined, true, false]);
    });

    test("show nothing of a user who is locked while the next answer is awaited", async () => {
      const page = typing();
      page.type("s");
      await page.answered("s", "sails");
      page.type("sa");
      await eventually(() => page.answers.sa);
      page.shown.length = 0;
      page.tell(lock);
      assert.deepEqual(page.shown.map(short), [[undefined, true, false]]);
    });
  });

  test("are aborted when nobody wants the answer any more", async () => {
    const { live } = using();
    let signal;
    const begun = new Promise((resolve) => {
      const slow = show(live, questions.ownQuestion("slow", (_, given) => ((signal = given), resolve(slow), new Promise(() => {}))));
    });
    (await begun).stop();
    await turn();
    assert.equal(signal.aborted, true);
  });

  test("an empty query is not asked", async () => {
    const { live } = using();
    for (const query of ["", "  ", null, undefined]) assert.equal(show(live, questions.recallQuestion(query)).state, PENDING);
    await memory.scope(ANA).facts.add("Ana lives in Lisbon");
    const recall = show(live, questions.recallQuestion("Where does Ana live?"));
    await recall.until(({ data }) => data?.known === "yes");
    assert.match(recall.state.data.text, /Lisbon/);
  });

  test("equal parts of an answer stay the same objects", async () => {
    const { live } = using();
    const user = memory.scope(ANA);
    await user.facts.add("Ana sails");
    const facts = show(live, questions.factsQuestion());
    await facts.until(has("Ana sails"));
    const [sails] = facts.state.data;
    await user.facts.add("Ana rows");
    await facts.until(has("Ana rows", "Ana sails"));
    assert.equal(facts.state.data[1], sails);

    const profile = show(live, questions.profilesQuestion());
    await profile.until(({ data }) => data !== undefined);
    const { state } = profile;
    await user.profiles.set("settings", "city", "Lisbon");
    await user.profiles.delete("settings", "city");
    await profile.until((now) => now === state || now.data?.settings.profile.city === undefined);
    assert.deepEqual(profile.state.data.settings.profile, {});
  });

  test("lists may grow, shrink, turn round and change their kind", () => {
    const [one, two] = [{ id: "1", tags: ["a"] }, { id: "2", tags: [] }];
    const copy = (value) => structuredClone(value);
    const list = [one, two];
    assert.equal(kept(list, copy(list)), list);
    const longer = kept(list, copy([{ id: "0" }, one, two]));
    assert.deepEqual(longer, [{ id: "0" }, one, two]);
    assert.ok(longer[1] === one && longer[2] === two);
    assert.deepEqual(kept(list, copy([two, one])), [two, one]);
    assert.deepEqual(kept(list, []), []);
    const changed = kept(list, [{ id: "1", tags: ["a", "b"] }, copy(two)]);
    assert.ok(changed[0] !== one && changed[0].tags[0] === "a" && changed[1] === two);
    for (const [old, now] of [[{ a: 1 }, [1]], [[1], { 0: 1 }], [null, {}], [{ a: undefined }, {}], [{}, { a: undefined }], [NaN, NaN], [[{ id: 1 }], [1]]]) {
      assert.deepEqual(kept(old, now), now);
    }
  });
});

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
