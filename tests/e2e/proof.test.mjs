/**
 * Proof on real input: an app built with Vite from the packed package, in a real browser, remembers conversations with a
 * model behind an endpoint that plays recorded answers; it finds the right things, and again after a reload.
 */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "vite";
import { launch, openPage } from "../package/support/browser.mjs";
import { createProject } from "../package/support/project.mjs";
import { serve } from "../package/support/server.mjs";
import { root } from "../package/support/tarball.mjs";
import { dataset } from "../support/locomo.mjs";
import { conversation, firstSession, hostile, player, profile } from "../support/recordings.mjs";
import { failing, saying, startEndpoint } from "./support/endpoint.mjs";

const screenshots = join(root, "artifacts/screenshots");

let project, server, browser, endpoint;

before(async () => {
  const page = (name) => readFileSync(join(import.meta.dirname, "proof", name), "utf8");
  project = await createProject({
    "index.html": page("index.html"),
    "main.js": page("main.js"),
    "profile.json": JSON.stringify(profile),
  });
  // The page waits for its memory before it shows anything.
  await build({ root: project.folder, logLevel: "error", configFile: false, build: { target: "es2022" } });
  server = await serve(project.path("dist"));
  endpoint = await startEndpoint();
  browser = await launch();
  mkdirSync(screenshots, { recursive: true });
});

after(async () => {
  await browser?.close();
  await endpoint?.close();
  await server?.close();
  await project?.remove();
});

/** The app, in a browser with no past. */
class App {
  static async open() {
    const app = new App();
    endpoint.requests.length = 0;
    const url = `${server.url}?model=${encodeURIComponent(endpoint.url)}`;
    Object.assign(app, await openPage(await browser.newContext({ viewport: { width: 1100, height: 1000 } }), url));
    await app.isReady();
    return app;
  }

  isReady() {
    return this.page.waitForFunction(() => globalThis.proof !== undefined);
  }

  async reload() {
    await this.page.reload();
    await this.isReady();
  }

  /** Calls a method of a user, or of the memory when there is no user; `path` is such as `facts.list`. */
  call(user, path, ...values) {
    return this.page.evaluate(([user, path, values]) => {
      const names = path.split(".");
      const method = names.pop();
      const owner = names.reduce((inner, name) => inner[name], user === null ? proof.memory : proof.user(user));
      return owner[method](...values);
    }, [user, path, values]);
  }

  /** Hands sessions over one after the other; each is learned from before the next. */
  async hear(user, sessions) {
    for (const { threadId, messages } of sessions) {
      await this.call(user, "remember", messages, { threadId });
      assert.deepEqual(await this.call(null, "idle"), { pending: 0, failed: [] });
    }
  }

  async profile(user) {
    return (await this.call(user, "profiles.get"))["user-profile"].profile;
  }

  async texts(user) {
    return (await this.call(user, "facts.list")).map(({ text }) => text);
  }

  async everything(user) {
    return {
      profile: await this.call(user, "profiles.get"),
      facts: await this.call(user, "facts.list", { includeEnded: true }),
      threads: await this.call(user, "threads.list"),
    };
  }

  /** Every fact and field was said by the model, and its quote stands in the message that it names. */
  async everyQuoteResolves(user) {
    const { fields } = (await this.call(user, "profiles.get"))["user-profile"];
    const items = [...Object.values(fields), ...(await this.call(user, "facts.list"))];
    for (const { id } of items) {
      const why = await this.call(user, "explain", id);
      const [{ quote, message }] = why.source;
      assert.equal(why.origin, "model", JSON.stringify(why));
      assert.ok(quote !== "" && message.includes(quote), JSON.stringify(why));
    }
  }

  async screenshot(user, name, question) {
    await this.page.evaluate(([user, question]) => proof.show(proof.user(user), question), [user, question]);
    await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  async leave(expected = []) {
    await this.page.context().close();
    assert.deepEqual(this.complaints.filter((complaint) => !expected.some((pattern) => pattern.test(complaint))), []);
  }
}

/** Lets the endpoint play the recordings of a conversation. */
function play(name, sessions) {
  const answer = player(name, sessions);
  endpoint.extraction = ({ messages }) => {
    try {
      return saying(answer(messages));
    } catch (error) {
      return failing(500, error.message);
    }
  };
}

/** What the first session of conv-26 teaches of Caroline: words of a fact, and the turn that says it. */
const LEARNED = [
  [/friend called Melanie/, "D1:1"],
  [/support group on 7 May 2023/, "D1:3"],
  [/inspired by transgender stories/, "D1:5"],
  [/made the user feel accepted/, "D1:7"],
  [/continue their education/, "D1:9"],
  [/counseling or mental health/, "D1:11"],
  [/painting as a great outlet/, "D1:15"],
  [/relaxing and expressing oneself/, "D1:17"],
];

/** Questions about it, and what has to be among the six best things recalled: the number of a line above, or a turn. */
const ASKED = [
  ["When was the user at the support group?", 1],
  ["Which stories were inspiring?", 2],
  ["How did the support group make Caroline feel?", 3],
  ["What are the user's plans for education?", 4],
  ["What career in counseling does Caroline think of?", 5],
  ["What does the user think of painting?", 6],
  ["Is relaxing important to her?", 7],
  ["Who is Melanie?", 0],
  ["Who painted the lake sunrise?", "D1:14"],
  ["Who goes swimming with the kids?", "D1:18"],
];

/** Everything that the app has to know of Caroline, now and after a reload. */
async function knowsCaroline(app, sessions) {
  const facts = await app.call("caroline", "facts.list");
  assert.equal(facts.length, LEARNED.length);
  const turns = await app.call("caroline", "threads.messages", "session-1");
  assert.deepEqual(turns.map(({ content }) => content), sessions[0].messages.map(({ content }) => content));
  const idOf = (turn) => turns[sessions[0].messages.findIndex(({ id }) => id === turn)].id;
  const ids = LEARNED.map(([words, turn]) => {
    const fact = facts.find(({ text }) => words.test(text));
    assert.ok(fact, `no fact says ${words}`);
    assert.equal(fact.source[0].messageId, idOf(turn), fact.text);
    return fact.id;
  });
  await app.everyQuoteResolves("caroline");
  const group = facts.find(({ id }) => id === ids[1]);
  assert.equal(new Date(group.validFrom).toISOString().slice(0, 10), "2023-05-07");
  assert.deepEqual(await app.profile("caroline"), {
    name: "Caroline",
    goals: ["continue their education", "work in counseling or mental health"],
  });
  for (const [question, expected] of ASKED) {
    const { items, text, tokens } = await app.call("caroline", "recall", question, { limit: 6, maxTokens: 400 });
    const wanted = typeof expected === "number" ? ids[expected] : idOf(expected);
    assert.ok(items.some(({ id }) => id === wanted), `${question} does not recall ${expected}:\n${text}`);
    assert.ok(tokens <= 400);
  }
}

test("the first session of conv-26: found, explained, undone, and all the same after a reload", async (context) => {
  const sessions = firstSession("conv-26", "Caroline");
  if (sessions === null) return context.skip(dataset().missing);
  play("conv-26", sessions);
  const app = await App.open();
  await app.hear("caroline", sessions);
  const { calls, failures, byPurpose } = await app.call(null, "usage");
  assert.ok(calls <= sessions[0].messages.length / 20 + 1, `${calls} calls`);
  assert.deepEqual([failures, byPurpose.extract.calls, endpoint.requests.length], [0, calls, calls]);
  await knowsCaroline(app, sessions);
  const before = await app.everything("caroline");
  await app.screenshot("caroline", "proof-1-learned", ASKED[0][0]);

  await app.reload();
  await knowsCaroline(app, sessions);
  assert.deepEqual(await app.everything("caroline"), before);
  assert.equal((await app.call(null, "usage")).calls, 0);
  assert.equal(endpoint.requests.length, calls);
  await app.screenshot("caroline", "proof-2-reloaded", ASKED[5][0]);

  const [learned] = await app.call("caroline", "profiles.history", "user-profile", "name");
  const undone = await app.call("caroline", "undo", learned.commitId);
  assert.deepEqual([await app.texts("caroline"), await app.profile("caroline")], [[], {}]);
  await app.screenshot("caroline", "proof-3-undone", ASKED[0][0]);
  await app.reload();
  assert.deepEqual([await app.texts("caroline"), await app.profile("caroline")], [[], {}]);
  await app.call("caroline", "undo", undone.commitId);
  await knowsCaroline(app, sessions);
  const revisions = await app.call("caroline", "profiles.history", "user-profile", "name");
  assert.deepEqual(revisions.map(({ deleted }) => deleted), [false, true, false]);
  assert.equal((await app.call(null, "verify")).ok, true);
  await app.leave();
});

for (const [name, facts, expected, [question, answer]] of [
  ["english", 6, { name: "Nora", place: "Bergen", job: "tugboat pilot", likes: ["green tea"], tone: "short" }, ["What may I cook for Emil?", "peanuts"]],
  ["korean", 5, { name: "박지우", place: "대전", job: "고등학교 수학 교사", likes: ["금정산", "수영"], allergies: ["새우"] }, ["도시락에 새우를 넣을까요?", "새우 알레르기"]],
  ["japanese", 6, {
    name: "佐藤健太",
    place: "京都",
    job: "和菓子職人",
    goals: ["英語で日常会話ができるようになる", "大阪で自分の和菓子の店を開く"],
    tone: "casual",
  }, ["飼っている猫はどの子?", "モモだけ"]],
  ["mixed", 5, { name: "Mina", job: "translator of novels", likes: ["추리 소설"], goals: ["東京に住む"] }, ["추리 소설 추천해 주세요", "추리 소설"]],
]) {
  test(`a conversation of the fixtures, ${name}: learned with quotes, and kept`, async () => {
    const sessions = conversation(name);
    play(name, sessions);
    const app = await App.open();
    await app.hear(name, sessions);
    assert.equal(endpoint.requests.length, sessions.length);
    const isKnown = async () => {
      assert.deepEqual(await app.profile(name), expected);
      assert.equal((await app.texts(name)).length, facts);
      await app.everyQuoteResolves(name);
      const { items } = await app.call(name, "recall", question, { limit: 4 });
      assert.ok(items.some(({ kind, text }) => kind === "fact" && text.includes(answer)), JSON.stringify(items));
    };
    await isKnown();
    const before = await app.everything(name);
    await app.reload();
    await isKnown();
    assert.deepEqual(await app.everything(name), before);
    assert.deepEqual(await app.texts("somebody else"), []);
    await app.screenshot(name, `proof-${name}`, question);
    await app.leave();
  });
}

test("hostile answers: nothing is lost, nothing is run, and the queue catches up", async () => {
  const [session] = conversation("english");
  const app = await App.open();
  const isRefused = async ({ what, answer, repeat = "", times = 0 }, number) => {
    const user = `user ${number}`;
    const given = repeat === "" ? JSON.stringify(answer) : answer.replace("{}", () => repeat.repeat(times));
    endpoint.extraction = saying(given);
    await app.call(user, "remember", session.messages, { threadId: session.threadId });
    const { failed } = await app.call(null, "idle");
    assert.ok(failed.some(({ scope, error }) => scope.userId === user && error.code === "Model"), `${what}: ${JSON.stringify(failed)}`);
    assert.deepEqual([await app.texts(user), await app.profile(user)], [[], {}], what);
    assert.equal((await app.call(user, "threads.messages", session.threadId)).length, session.messages.length, what);
  };
  const refused = hostile.filter(({ outcome, answer }) => outcome === "refused" && answer !== "");
  for (const [number, answer] of refused.entries()) await isRefused(answer, number);
  assert.equal((await app.call(null, "usage")).pending, refused.length);

  const script = hostile.find(({ what }) => what.startsWith("script tags"));
  endpoint.extraction = saying(JSON.stringify(script.answer));
  await app.call("script", "remember", session.messages, { threadId: session.threadId });
  await app.call(null, "idle");
  assert.deepEqual(await app.texts("script"), script.facts);
  await app.screenshot("script", "proof-hostile", "Who is Nora?");

  // What waits is learned after a reload, when the model has come to its senses.
  play("english", [session]);
  await app.reload();
  assert.deepEqual(await app.call(null, "idle"), { pending: 0, failed: [] });
  for (const number of refused.keys()) assert.equal((await app.texts(`user ${number}`)).length, 6);
  assert.equal((await app.call(null, "verify")).ok, true);
  await app.leave();
});
