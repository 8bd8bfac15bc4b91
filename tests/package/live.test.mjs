/** What shows a memory and stays current, beneath every framework: questions and their answers. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mnemic, project } from "./support/installed.mjs";
import { ANA, BEN, eventually, has, memory, show, turn, until, using } from "./support/live.mjs";

const { LiveUser } = await import(project.path("node_modules/mnemic/live/user.js"));
const { StandingUser } = await import(project.path("node_modules/mnemic/live/standing.js"));
const { kept, PENDING } = await import(project.path("node_modules/mnemic/live/state.js"));
const questions = await import(project.path("node_modules/mnemic/live/questions.js"));

const { InvalidInputError } = mnemic;

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
