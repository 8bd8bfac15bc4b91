/** Eight tabs write to one memory at once; one is frozen while it writes, one is killed, and another takes its place. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { start } from "./browser-process.mjs";
import { shuffled } from "../random.mjs";
import { openPage } from "./site.mjs";

const TABS = 8;

/** How many steps each tab takes at a time. */
const STEPS = 9;

const VARIANTS = [{}, { copy: "opfs" }, { encrypted: true }, { storage: "opfs", worker: true }];

/** So that every update of one fact is still there in the end. */
const HISTORY = { revisions: 100_000, bytes: 1 << 30 };

export const tabs = {
  name: "tabs",
  shortRounds: 1,
  async run(soak) {
    for (let round = 0; !soak.isOver(); round += 1) {
      const { storage, copy, encrypted } = VARIANTS[round % VARIANTS.length];
      const row = soak.tally.row("tabs", [`${TABS} tabs`, storage, copy && `copy in ${copy}`, encrypted && "encrypted"].filter(Boolean).join(", "));
      soak.begin(row);
      await runRound(soak, row, VARIANTS[round % VARIANTS.length]);
    }
  },
};

async function runRound(soak, row, options) {
  const profile = await mkdtemp(join(soak.folder, "profile-"));
  const chromium = await start(profile);
  const tabs = [];
  const open = async () => {
    const tab = await Tab.open(chromium.context, soak.url, options, tabs.length);
    tabs.push(tab);
    return tab;
  };
  try {
    const first = await open();
    const turn = await first.page.evaluate(async () => (await user.facts.add("Nobody has the turn")).id);
    while (tabs.length < TABS) await open();
    const [frozen, killed, ...others] = shuffled(tabs, soak.next);
    await Promise.all(tabs.map((tab) => tab.write(turn, STEPS)));
    const writes = [frozen, killed].map((tab) => tab.write(turn, STEPS * 10));
    await Promise.all(others.map((tab) => tab.write(turn, 1)));
    await frozen.freeze();
    await Promise.all(others.map((tab) => tab.write(turn, STEPS)));
    await killed.kill();
    others.push(await open());
    await Promise.all(others.map((tab) => tab.write(turn, STEPS)));
    await frozen.thaw();
    await Promise.all(writes);
    await others[0].page.evaluate(() => user.facts.add("The last word"));
    const due = dueOf(tabs);
    row.confirmed += due.count;
    const views = await Promise.all([frozen, ...others].map((tab) => tab.page.evaluate(view, { turn, forgotten: due.forgotten })));
    for (const seen of views) soak.tally.found(row, judge(seen, due, views[0]));
  } finally {
    await chromium.kill();
    await rm(profile, { recursive: true, force: true });
  }
}

/** One tab, and what it has confirmed. */
class Tab {
  confirmed = [];
  #taken = 0;
  #session;
  #isKilled = false;

  static async open(context, url, options, number) {
    const tab = new Tab();
    tab.page = await openPage(context, url);
    tab.name = `tab${number}`;
    tab.#session = await context.newCDPSession(tab.page);
    tab.page.on("console", (message) => {
      const [, json] = /^did (.*)$/.exec(message.text()) ?? [];
      if (json !== undefined) tab.confirmed.push(JSON.parse(json));
    });
    await tab.page.evaluate(async (options) => {
      ({ memory: globalThis.memory, user: globalThis.user } = await diary.openDiary(mnemic.openMemory, options, 0));
    }, { ...options, history: HISTORY });
    return tab;
  }

  /** Takes so many steps; a tab that is killed takes fewer. */
  async write(turn, count) {
    const from = this.#taken;
    this.#taken += count;
    try {
      await this.page.evaluate(takeSteps, { name: this.name, from, count, turn });
    } catch (error) {
      if (!this.#isKilled) throw error;
    }
  }

  freeze() {
    return this.#session.send("Page.setWebLifecycleState", { state: "frozen" });
  }

  thaw() {
    return this.#session.send("Page.setWebLifecycleState", { state: "active" });
  }

  async kill() {
    this.#isKilled = true;
    const ended = new Promise((resolve) => this.page.once("crash", resolve));
    this.#session.send("Page.crash").catch(() => {});
    await ended;
  }
}

/** In the page: takes the turn, says something and keeps a fact, and forgets what it said, in turns. */
async function takeSteps({ name, from, count, turn }) {
  const did = (what) => console.log(`did ${JSON.stringify(what)}`);
  const again = async (work) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        // Another tab was faster, and nothing was changed.
        if (error.code !== "Conflict") throw error;
      }
    }
  };
  for (let step = from; step < from + count; step += 1) {
    const word = `${name}word${step - (step % 3)}`;
    if (step % 3 === 0) {
      const text = `The turn has ${word}`;
      const { revision } = await again(() => user.facts.update(turn, { text }));
      did({ revision, text });
    } else if (step % 3 === 1) {
      await user.facts.add(`Kept by ${word}`);
      did({ kept: `Kept by ${word}` });
      const messages = ["one", "two"].map((number) => ({ role: "assistant", content: `Said ${word} ${number}` }));
      await user.threads.append(messages, { threadId: word });
      did({ said: word });
    } else if (step % 2 === 0) {
      did({ forgetting: word });
      await again(() => user.forget({ threadId: word }));
      did({ forgotten: word });
    }
  }
}

/** What must be there in the end. */
function dueOf(tabs) {
  const all = tabs.flatMap(({ confirmed }) => confirmed);
  const given = (name) => all.flatMap((entry) => (name in entry ? [entry[name]] : []));
  const forgetting = new Set(given("forgetting"));
  return {
    count: all.length - forgetting.size,
    turns: all.filter((entry) => "revision" in entry),
    kept: given("kept"),
    said: given("said").filter((word) => !forgetting.has(word)),
    forgotten: given("forgotten"),
  };
}

/** In the page: what a tab shows, once it has heard of the last word. */
async function view({ turn, forgotten }) {
  let facts = [];
  while (!facts.includes("The last word")) {
    await new Promise((done) => setTimeout(done, 10));
    facts = (await user.facts.list({ limit: 1000 })).map(({ text }) => text);
  }
  const threads = {};
  for (const { threadId } of await user.threads.list()) threads[threadId] = (await user.threads.messages(threadId)).length;
  const turns = Object.fromEntries((await user.facts.history(turn)).map(({ revision, text }) => [revision, text]));
  const told = [];
  for (const word of forgotten) {
    const { text } = await user.recall(word, { maxTokens: 2000 });
    const found = await user.threads.search(word, { limit: 1000 });
    if (new RegExp(`Said ${word}\\b`).test(`${text} ${found.map(({ content }) => content).join(" ")}`)) told.push(word);
  }
  const { damage } = await memory.verify();
  return { facts: facts.sort(), threads, turns, told, damaged: damage.map(({ key }) => key) };
}

const seen = (...shown) => JSON.stringify(shown);

/** What is wrong with what a tab shows. */
function judge({ facts, threads, turns, told, damaged }, due, first) {
  const lost = [
    ...due.kept.filter((text) => !facts.includes(text)),
    ...due.said.filter((word) => !(word in threads)),
    // Two updates with one revision, or an update that is not in the history: one has overwritten the other.
    ...due.turns.filter(({ revision, text }) => turns[revision] !== text).map(({ text }) => text),
    ...(seen(facts, threads, turns) === seen(first.facts, first.threads, first.turns) ? [] : ["agreement with the first tab"]),
  ];
  const halves = Object.keys(threads).filter((word) => threads[word] !== 2);
  const returned = [...told, ...due.forgotten.filter((word) => word in threads)];
  return { lost, halves, returned, damaged };
}
