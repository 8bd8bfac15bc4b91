/** What a page does while its memory works: it animates, and its tasks are to stay short. Every answer is checked. */
import { embedder, text, vector } from "./corpus.mjs";
import { expect, longestHold } from "./timing.mjs";

const scope = { userId: "alice" };
const FACTS_PER_CALL = 1000;
const MESSAGES_PER_CALL = 20;
const MESSAGES = 400;

/** A file with what mem0's `get_all` answers. Made in a worker's stead before anything is measured. */
function exported(count) {
  const results = Array.from({ length: count }, (_, number) => ({ id: `m${number}`, memory: text(number), created_at: "2024-05-01T10:00:00Z" }));
  return new File([JSON.stringify({ results })], "export.json");
}

/** Moves an element with every frame; the answer ends it. */
function animation() {
  const box = document.body.appendChild(document.createElement("div"));
  box.style.cssText = "position:absolute;width:50px;height:50px;background:teal";
  let goesOn = true;
  const move = (now) => {
    box.style.transform = `translateX(${now % 500}px)`;
    if (goesOn) requestAnimationFrame(move);
  };
  requestAnimationFrame(move);
  return () => {
    goesOn = false;
    box.remove();
  };
}

/** Marks what is measured in a trace, and answers its time and the longest time in which nothing else could run, in milliseconds. */
async function watched(name, work) {
  const end = animation();
  // What was prepared before is not this one's.
  await new Promise((resolve) => setTimeout(resolve, 300));
  performance.mark(`begin ${name}`);
  const { time, longest } = await longestHold(work);
  performance.mark(`end ${name}`);
  end();
  return { name, time, longest };
}

/** Opens a memory, and imports, learns, adds and finds in it, with `count` facts. */
export async function working(openMemory, options, count) {
  const file = exported(count);
  const { embed, id } = embedder();
  const answers = [];
  let memory, user;
  answers.push(
    await watched("open an empty memory", async () => {
      memory = await openMemory(options);
      user = memory.scope(scope);
    }),
    await watched(`import a file of ${count} memories`, async () => {
      const { done } = await user.import(file);
      expect(done === count, `${done} of ${count} memories were imported`);
    }),
    await watched(`learn from ${MESSAGES} messages by rules, and index`, async () => {
      for (let first = 0; first < MESSAGES; first += MESSAGES_PER_CALL) {
        const messages = Array.from({ length: MESSAGES_PER_CALL }, (_, number) => ({
          role: "user",
          content: `I live in ${text(first + number).split(" ")[0]}. I love ${text(first + number)}.`,
        }));
        await user.remember(messages);
      }
      await memory.idle();
    }),
    await watched("20 recalls", async () => {
      for (let number = 0; number < 20; number += 1) expect((await user.recall(text(number * 31))).text !== "", "nothing was recalled");
    }),
    await watched("list 1000 facts", async () => expect((await user.facts.list({ limit: 1000 })).length === 1000, "not 1000 facts")),
    await watched("close it", () => memory.close()),
    await watched("open it again, and find", async () => {
      memory = await openMemory(options);
      expect((await memory.scope(scope).facts.search(text(7), { limit: 1 })).length === 1, "nothing was found");
    }),
  );
  const own = await openMemory({ ...options, name: `${options.name}-own`, embed: { id, embed } });
  const value = { text: "x".repeat(15 * 1024) };
  const documents = Array.from({ length: 1000 }, (_, number) => ({ op: "put", namespace: ["large"], key: `${number}`, value, index: false }));
  const given = Array.from({ length: FACTS_PER_CALL }, (_, number) => ({ text: text(number), embedding: vector(number) }));
  answers.push(
    await watched("facts.import of 1000 facts with vectors of 384", async () => {
      expect((await own.scope(scope).facts.import(given)).added === FACTS_PER_CALL, "not all were added");
    }),
    await watched("documents.batch of 15 MB in 1000 documents", async () => {
      const { length } = await memory.scope(scope).documents.batch(documents);
      expect(length === documents.length, "not all were put");
    }),
    await watched("export it all", async () => {
      const { size } = await new Response(memory.export()).blob();
      expect(size > count, "the export is too small");
    }),
  );
  await own.close();
  await memory.close();
  return answers;
}
