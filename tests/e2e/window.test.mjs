/** The window of the model as the demo shows it: what is in it, its working memory, and the tiers behind it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Demo, desktop, phone } from "./support/demo.mjs";
import { chats, endpoint, saying, smallest, withEndpoint } from "./support/endpoint.mjs";

let demo;
before(async () => { demo = await Demo.start(); });
after(() => demo?.close());

/** The tokens of a part of the window, as the legend in some element has them. */
const tokensOf = async (within, part) => Number((await within.getByTestId(`part-${part}`).locator("dd").textContent()).replaceAll(",", ""));

/** The tokens of every part. */
async function parts(within) {
  const names = ["instructions", "tools", "blocks", "memory", "summary", "recent", "reserve", "free"];
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await tokensOf(within, name)])));
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

test("without a model the window says what one would see, and grows with the chat", async () => {
  const user = await demo.open();
  const window = user.page.getByTestId("window");
  await user.page.getByTestId("window-line").click();
  await user.sees(window, "This chat is still empty.");
  await user.sees(window, "No model is connected, so nothing is sent");
  await user.sees(window, "No model is connected, so no tools are called");
  const empty = await parts(window);
  assert.deepEqual([empty.tools, empty.blocks, empty.memory, empty.recent, empty.reserve], [0, 0, 0, 0, 1000]);
  await user.say("My name is Alice and I live in Lisbon.");
  await user.sees(window, "All 2 messages of this chat fit in the window.");
  const one = await parts(window);
  assert.ok(one.recent > 0 && one.memory > 0, JSON.stringify(one));
  assert.equal(sum(Object.values(one)), 8000);
  const bar = window.getByTestId("window-bar");
  assert.match(await bar.getAttribute("aria-label"), new RegExp(`^Window of 8,000 tokens: Instructions ${one.instructions}, .*Recent messages ${one.recent}, .*Free ${one.free.toLocaleString("en-US")}\\.$`));
  const widths = await bar.locator(".part-memory, .part-recent").evaluateAll((drawn) => drawn.map((part) => part.getBoundingClientRect().width));
  await user.say("I love spicy food, long walks by the river, and old radios.");
  await user.sees(window, "All 4 messages");
  assert.ok((await tokensOf(window, "recent")) > one.recent);
  assert.ok(widths.every((width) => width > 2));
  await user.leave();
});

test("the size of the window is chosen, and kept", async () => {
  const user = await demo.open();
  await user.tab("window");
  await user.page.getByTestId("window-size").selectOption("2000");
  await user.sees(user.page.getByTestId("window-line"), "of 2K");
  const window = user.page.getByTestId("window");
  assert.deepEqual([await tokensOf(window, "reserve"), sum(Object.values(await parts(window)))], [500, 2000]);
  await user.reload();
  await user.sees(user.page.getByTestId("window-line"), "of 2K");
  await user.tab("window");
  assert.equal(await user.page.getByTestId("window-size").inputValue(), "2000");
  await user.leave();
});

test("what was sent stands beside the reply, also after a reload", () => withEndpoint(async () => {
  const user = await demo.open();
  await user.say("My name is Alice.");
  await user.connect(endpoint);
  const reply = await user.say("Who am I?");
  const [asked] = chats();
  const sent = reply.getByTestId("sent");
  await sent.locator("summary").click();
  const shown = await parts(sent);
  assert.ok(shown.tools > 1000 && shown.memory > 0 && shown.recent > 0, JSON.stringify(shown));
  // Four characters to a token, more or less.
  const prompt = JSON.stringify([asked.messages, asked.tools]).length / 4;
  const told = shown.instructions + shown.tools + shown.memory + shown.recent;
  assert.ok(Math.abs(told - prompt) < prompt / 3, `${told} tokens for about ${prompt}`);
  await user.sees(sent, `Sent (${told.toLocaleString("en-US")} tokens)`);
  await user.reload();
  await sent.locator("summary").click();
  assert.deepEqual(await parts(sent), shown);
  await user.leave();
}));

/** The model was told them, and the page showed them as messages of this chat, and not as recalled. */
test("messages of other chats count as remembered, and are shown as recalled", () => withEndpoint(async () => {
  const user = await demo.open();
  await user.connect(endpoint);
  const said = `The plumber who mended our boiler is called Tiago, ${"and he was quick and kind and cheap ".repeat(5)}`;
  await user.say(said);
  await user.page.getByTestId("new-chat").click();
  const reply = await user.say("What is the name of the plumber who mended our boiler?");
  assert.match(JSON.stringify(chats().at(-1).messages), /Tiago/);
  const sent = reply.getByTestId("sent");
  await sent.locator("summary").click();
  const shown = await parts(sent);
  assert.ok(shown.recent < said.length / 5 && shown.memory > said.length / 5, JSON.stringify(shown));
  const recalled = reply.getByTestId("recalled");
  await recalled.locator("summary").click();
  await user.sees(recalled, /Tiago/);
  await user.sees(user.page.getByTestId("window-line"), "of 8K");
  await user.tab("window");
  await user.sees(user.page.getByTestId("in-sight"), "All 2 messages");
  await user.leave();
}));

test("while a reply is on its way the window shows what was sent", () => withEndpoint(async () => {
  const user = await demo.open();
  await user.connect(endpoint);
  await user.tab("window");
  const heading = user.page.getByTestId("window").getByRole("heading", { level: 3 }).first();
  await user.sees(heading, "What the model will see");
  const before = await tokensOf(user.page.getByTestId("window"), "recent");
  let answer;
  const asked = new Promise((heard) => {
    endpoint.chat = () => new Promise((resolve) => {
      answer = () => resolve(saying("At last."));
      heard();
    });
  });
  await user.composer.fill("Are you there? Take all the time you need, there is no hurry at all.");
  await user.composer.press("Enter");
  await user.sees(heading, "What the model sees now");
  assert.ok((await tokensOf(user.page.getByTestId("window"), "recent")) > before);
  await asked;
  answer();
  await user.sees(user.replies, "At last.");
  await user.sees(heading, "What the model will see");
  await user.leave();
}));

test("in a small window the oldest messages leave sight, and a summary stands for them", () => withEndpoint(async () => {
  const user = await demo.open();
  await user.tab("window");
  await user.page.getByTestId("window-size").selectOption("2000");
  await user.connect(endpoint);
  endpoint.extraction = ({ response_format: { json_schema: { schema } } }) =>
    saying(JSON.stringify(schema.properties.summary ? { summary: "The user compared many kinds of tea." } : smallest(schema)));
  endpoint.chat = saying("Tea is a fine thing. ".repeat(12));
  for (let cup = 1; cup <= 10; cup += 1) await user.say(`About tea number ${cup}: ${"what do you think of it? ".repeat(8)}`);
  const window = user.page.getByTestId("window");
  await user.sees(window.getByTestId("in-sight"), /Of 20 messages the last \d+ fit in the window word for word, and \d+ in the summary/);
  await window.getByTestId("thread-summary").locator("summary").click();
  await user.sees(window.getByTestId("thread-summary"), "many kinds of tea");
  await user.say("And the next one?");
  const { messages } = chats().at(-1);
  assert.match(messages[0].content, /many kinds of tea/);
  assert.ok(!JSON.stringify(messages).includes("About tea number 1:"), "the first message is still in sight");
  assert.ok((await tokensOf(window, "summary")) > 0);
  assert.equal(sum(Object.values(await parts(window))), 2000);
  await user.screenshot("window-small");
  await user.leave();
}));

test("many messages from before are summarised only when the user says so, who is told what that takes", () => withEndpoint(async () => {
  const user = await demo.open();
  const { page } = user;
  const said = (place) => ({ uuid: `m${place}`, sender: place % 2 === 0 ? "human" : "assistant", text: `Message ${place} about the weather, which was as fine as the day before and the one before that.`, created_at: new Date(place * 60_000).toISOString() });
  const chat = { uuid: "c", name: "Weather", created_at: said(0).created_at, updated_at: said(0).created_at, chat_messages: Array.from({ length: 600 }, (_, place) => said(place)) };
  await user.more("import");
  await page.getByTestId("import-file").setInputFiles({ name: "claude.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify([chat])) });
  await user.sees(page.getByTestId("import-outcome"), "600 new");
  await page.getByTestId("threads").getByRole("button", { name: /^Message 0/ }).click();
  await user.tab("window");
  await user.sees(page.getByTestId("in-sight"), /Of 600 messages the last \d+ fit in the window word for word\. All are kept/);
  await user.connect(endpoint);
  await user.composer.fill("And tomorrow?");
  await user.composer.press("Enter");
  await user.sees(user.replies, "Hello.");
  const summaries = () => endpoint.requests.filter(({ response_format: format }) => format?.json_schema.schema.properties.summary).length;
  assert.equal(summaries(), 0);
  await user.sees(page.getByTestId("window"), "This takes about 16 requests to the model.");
  endpoint.extraction = ({ response_format: { json_schema: { schema } } }) =>
    saying(JSON.stringify(schema.properties.summary ? { summary: "They spoke of the weather." } : smallest(schema)));
  await page.getByTestId("summarise").click();
  await user.sees(page.getByTestId("in-sight"), "602 in the summary");
  assert.equal(summaries(), 16);
  await page.getByTestId("summarise").waitFor({ state: "hidden" });
  await user.leave();
}));

test("a message that is larger than the window is refused with the cure", () => withEndpoint(async () => {
  const user = await demo.open();
  await user.tab("window");
  await user.page.getByTestId("window-size").selectOption("2000");
  await user.connect(endpoint);
  await user.composer.fill("All about tea. ".repeat(600));
  await user.composer.press("Enter");
  await user.sees(user.page.getByTestId("trouble"), "does not fit into a window of 2,000 tokens");
  assert.equal(chats().length, 0);
  await user.page.getByTestId("window-size").selectOption("8000");
  await user.page.getByTestId("retry").click();
  await user.sees(user.replies, "Hello.");
  await user.leave();
}));

async function save(form, values) {
  for (const [testId, value] of Object.entries(values)) await form.getByTestId(testId).fill(value);
  await form.getByRole("button", { name: "Save" }).click();
}

test("blocks are made, changed, deleted and brought back, and stand in the next request", () => withEndpoint(async () => {
  const user = await demo.open();
  await user.connect(endpoint);
  await user.more("blocks");
  const blocks = user.page.getByTestId("blocks");
  await user.sees(blocks.getByTestId("block"), "0 of 2,000 characters");
  await user.page.getByRole("button", { name: "Add human" }).click();
  await save(blocks, { "block-value": "Sails 🙂 every Sunday." });
  const human = blocks.getByTestId("block").filter({ hasText: "human" });
  await user.sees(human, /Sails 🙂 every Sunday\.\s*21 of 2,000 characters/);
  await blocks.getByTestId("add").click();
  await save(blocks, { "block-name": "two words", "block-value": "x" });
  await user.sees(blocks.getByRole("alert"), "without spaces");
  await save(blocks, { "block-name": "plans", "block-value": "p".repeat(2001) });
  await user.sees(blocks.getByRole("alert"), "2,001 of 2,000 characters");
  await blocks.getByTestId("block-read-only").check();
  await save(blocks, { "block-value": "Lisbon in May" });
  const plans = blocks.getByTestId("block").filter({ hasText: "plans" });
  await user.sees(plans, /Read only.*Lisbon in May/s);
  await user.say("Hello");
  assert.match(chats().at(-1).messages[0].content, /Sails 🙂 every Sunday\.[^]*Lisbon in May/);
  assert.ok((await tokensOf(user.page.getByTestId("window"), "blocks")) > 0);
  await plans.getByTestId("delete-block").click();
  await plans.waitFor({ state: "detached" });
  await user.page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
  await user.sees(plans, "Lisbon in May");
  await human.getByTestId("edit-block").click();
  await save(blocks, { "block-value": "Sails no more." });
  await user.sees(human, "Sails no more.");
  await human.getByTestId("history").locator("summary").click();
  await human.getByTestId("revisions").getByRole("button", { name: "Restore this" }).click();
  await user.sees(human.getByTestId("value"), "every Sunday");
  await user.leave();
}));

/** Says nine things about two topics, which is more than the queue of the latest has room for. */
async function talk(user) {
  for (let day = 1; day <= 9; day += 1) await user.say(day % 3 === 0 ? `Guitar chords, lesson ${day}: how do I tune my guitar?` : `Tomatoes, day ${day}: I love growing tomatoes on my balcony.`);
}

/** Counts what flies over the page. */
const watchFlights = (user) => user.page.evaluate(() => {
  globalThis.flights = 0;
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const { classList } of addedNodes) if (classList?.contains("flying")) globalThis.flights += 1;
  }).observe(document.body, { childList: true, subtree: true });
});

test("exchanges move from the queue into topics, and it is seen and told", async () => {
  const user = await demo.open();
  const { page } = user;
  await user.tab("window");
  await user.sees(page.getByTestId("window"), "No topics yet");
  await watchFlights(user);
  await page.evaluate(() => {
    globalThis.told = [];
    const announcer = document.querySelector("[data-testid=announcer]");
    new MutationObserver(() => globalThis.told.push(announcer.textContent)).observe(announcer, { childList: true });
  });
  await user.say("Hello there");
  await user.sees(page.getByTestId("queue-count"), "1 of 7");
  assert.equal(await page.getByTestId("slot").count(), 1);
  await page.getByTestId("slot").click();
  await user.sees(page.getByTestId("opened-page"), "Hello there");
  await talk(user);
  await user.sees(page.getByTestId("moved"), /\d exchanges moved from the queue into \d topics?\./);
  const segments = page.getByTestId("segment");
  await segments.first().waitFor();
  assert.match((await page.evaluate(() => globalThis.told)).join(" "), /exchanges moved from the queue into/);
  assert.ok((await page.evaluate(() => globalThis.flights)) >= 2, "nothing was seen to move");
  await page.locator(".flying").first().waitFor({ state: "detached" });
  assert.ok((await page.getByTestId("slot").count()) <= 7);
  const held = (await segments.locator(".segment-foot").allTextContents()).map((words) => Number.parseInt(words, 10));
  assert.equal(sum(held) + (await page.getByTestId("slot").count()), 10);
  await user.reload();
  await user.tab("window");
  await segments.first().waitFor();
  await user.leave();
});

test("nothing flies for those who want no motion; it is told all the same", async () => {
  const user = await demo.open({ ...desktop, reducedMotion: "reduce" });
  await user.tab("window");
  await watchFlights(user);
  await talk(user);
  await user.sees(user.page.getByTestId("moved"), "moved from the queue");
  assert.equal(await user.page.evaluate(() => globalThis.flights), 0);
  await user.leave();
});

test("topics are named by words as they were written", async () => {
  const user = await demo.open();
  for (const name of ["Bob", "Carol", "Dave", "Alice"]) await user.say(`${name} loves spicy noodles with 2 eggs`);
  for (let number = 0; number < 4; number += 1) await user.say("Hello?");
  await user.tab("window");
  await user.page.getByTestId("segment").first().waitFor();
  const words = await user.page.getByTestId("segments").locator(".segment-keywords li").allTextContents();
  assert.ok(words.includes("alice") && words.includes("spicy") && words.includes("noodles"), words.join());
  assert.deepEqual(words.filter((word) => word.length < 2 || ["alic", "spici", "noodl"].includes(word)), []);
  await user.leave();
});

test("a topic tells its heat and its exchanges, and looking into it is a visit", async () => {
  const user = await demo.open();
  const { page } = user;
  await talk(user);
  await user.tab("window");
  const segment = page.getByTestId("segment").filter({ hasText: "uitar" });
  await segment.getByText("Why this heat?").click();
  const terms = segment.getByTestId("heat-terms");
  await user.sees(terms, /times retrieved\s*0/);
  const heat = async () => Number(await segment.getByRole("meter", { name: "Heat" }).getAttribute("aria-valuenow"));
  const before = await heat();
  await segment.getByTestId("pages").locator("summary").click();
  const exchange = segment.getByTestId("exchange").first();
  await user.sees(exchange, "tune my guitar");
  await user.sees(terms, /times retrieved\s*1/);
  assert.equal(Math.round((await heat()) - before), 1);
  await exchange.getByRole("button", { name: "Show message" }).click();
  await user.sees(page.locator("[data-testid=message-user]:focus"), "tune my guitar");
  await user.leave();
});

/** What a model answers that sorts all exchanges into one topic, and finds a fact and a trait in it. */
const distilling = ({ messages, response_format: { json_schema: { schema } } }) => {
  const { traits, themes } = schema.properties;
  if (themes) {
    const pages = [...messages.at(-1).content.matchAll(/"page":\s*(\d+)/g)].map(([, page]) => ({ page: Number(page), continues: true, chain: "Sailing.", keywords: ["sailing"], theme: 1 }));
    return saying(JSON.stringify({ pages, themes: [{ segment: null, summary: "The user sails." }] }));
  }
  if (!traits) return saying(JSON.stringify(smallest(schema)));
  return saying(JSON.stringify({
    facts: [{ action: "add", target: null, text: "The user sails at weekends.", category: "preference", significance: 7, message: 1, quote: "sail", since: null }],
    profile: [], entities: [], relations: [], agent_profile: [], agent: [],
    traits: [{ name: "curiosity", level: "high", confidence: 0.8, evidence: "Asks much about sailing.", message: 1 }],
  }));
};

test("a hot topic is read again for lasting facts, and that is one step away", () => withEndpoint(async () => {
  const user = await demo.open();
  const { page } = user;
  await user.tab("window");
  await user.sees(page.getByTestId("learned"), "Nothing yet.");
  await user.connect(endpoint);
  endpoint.extraction = distilling;
  for (let day = 1; day <= 8; day += 1) await user.say(`How do I sail in the wind of day ${day}?`);
  await user.sees(page.getByTestId("segment"), /The user sails\..*sailing.*5 exchanges/s);
  await user.sees(page.getByTestId("learned"), "Learned from hot topics: 1 fact, 1 trait.");
  await user.sees(page.getByTestId("trait"), /curiosity.*high, 80% sure.*Asks much about sailing\./s);
  await user.sees(page.getByTestId("moved"), "1 topic was read again for lasting facts.");
  await page.getByTestId("to-facts").click();
  const fact = user.facts.filter({ hasText: "The user sails at weekends." });
  // An exchange in a topic is no message of a chat: nothing leads to it.
  await user.sees(fact, "From a topic");
  assert.equal(await fact.getByTestId("show-source").count(), 0);
  await user.leave();
}));

test("what is hot but known already teaches nothing, and that is said", async () => {
  const user = await demo.open();
  await user.tab("window");
  for (let day = 1; day <= 14; day += 1) await user.say("I love sailing.");
  await user.sees(user.page.getByTestId("learned"), "held nothing new");
  await user.tab("facts");
  await user.sees(user.facts, "sailing");
  assert.equal(await user.facts.count(), 1);
  assert.ok((await user.page.getByTestId("show-source").count()) > 0);
  await user.leave();
});

test("on a phone the line under the header opens the window, and the sheet hands the focus back", async () => {
  const user = await demo.open(phone);
  await user.say("My name is Alice.");
  const line = user.page.getByTestId("window-line");
  await user.page.getByRole("button", { name: /^Window [\d.]+K of 8K tokens taken$/ }).tap();
  await user.page.getByTestId("window").waitFor();
  await user.page.keyboard.press("Escape");
  await user.page.getByTestId("window").waitFor({ state: "hidden" });
  assert.equal(await line.evaluate((element) => element === focused()), true);
  await user.leave();
});

test("nothing jumps when the window fills", async () => {
  const user = await demo.open();
  await user.tab("window");
  const places = () => user.page.evaluate(() => [".window-line .window-bar", ".window-legend", "#window-size"].map((selector) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
  }));
  const before = await places();
  await user.say("My name is Alice and I live in Lisbon.");
  await user.sees(user.page.getByTestId("window"), "All 2 messages");
  assert.deepEqual(await places(), before);
  await user.leave();
});
