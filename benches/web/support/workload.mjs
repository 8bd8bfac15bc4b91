/** What is measured, the same in every runtime. Every answer is checked. */
import { embedder, query, text, vector } from "./corpus.mjs";
import { expect, timed } from "./timing.mjs";

const scope = { userId: "alice" };
const FIELDS = 20;
const MESSAGES_PER_CALL = 500;
/** How many facts are added at the same time when a memory is filled. */
const FACTS_AT_ONCE = 100;
const FACTS_PER_IMPORT = 1000;
/** How many lines a recall may have, and room for all of them. */
const RECALL = { limit: 20, maxTokens: 5000 };

const fieldNames = Array.from({ length: FIELDS }, (_, number) => `field_${number}`);

const profileSchema = {
  type: "object",
  properties: Object.fromEntries(fieldNames.map((name) => [name, { type: "string", minLength: 1, maxLength: 200 }])),
};

const values = Object.fromEntries(fieldNames.map((name, number) => [name, text(number)]));

function expectProfile(profiles) {
  expect(Object.keys(profiles.person.profile).length === FIELDS, "the profile has not 20 fields");
  expect(profiles.person.profile.field_7 === values.field_7, "a field of the profile has another value");
}

/** Which text the query of a repetition is for. */
export const targetOf = (count) => (number) => (number * 7919) % count;

/**
 * Reading a profile, through the package and at the door of the engine.
 *
 * @param openMemory of the package
 * @param openEngine opens an engine without the package around it
 */
export async function profile(openMemory, openEngine, repetitions) {
  const memory = await openMemory({ name: "profile", storage: "memory", profiles: { person: profileSchema } });
  const user = memory.scope(scope);
  await user.profiles.patch("person", values);
  const whole = await timed(repetitions, () => user.profiles.get(), expectProfile);
  const answer = await user.profiles.get();
  const copying = await timed(repetitions, () => JSON.parse(JSON.stringify(answer)), expectProfile);
  await memory.close();

  const options = JSON.stringify({ profiles: { person: profileSchema } });
  const engine = await openEngine({ name: "door", storage: "memory", durability: "relaxed", options });
  const pairs = JSON.stringify(scope);
  await engine.call("profiles.patch", pairs, JSON.stringify({ schema: "person", patch: values }));
  const door = await timed(
    repetitions,
    () => engine.call("profiles.get", pairs, "{}"),
    (json) => expectProfile(JSON.parse(json)),
  );
  await engine.close();
  return { whole, door, copying };
}

/** Remembering two messages, with all that goes on by itself after it. */
export async function remembering(openMemory, options, repetitions) {
  const memory = await openMemory(options);
  const user = memory.scope(scope);
  let expected = 0;
  const times = await timed(
    repetitions,
    async (number) => {
      const said = { role: "user", content: `I wonder about ${text(number)}.` };
      return user.remember([said, { role: "assistant", content: `Then read ${text(number + 5000)}.` }]);
    },
    ({ messageIds }) => {
      expect(new Set(messageIds).size === 2, "two messages have not two ids");
      expected += 2;
    },
  );
  await memory.idle();
  const [thread] = await user.threads.list();
  expect(thread.messages === expected, `${expected} messages were remembered, ${thread.messages} are there`);
  await memory.close();
  return times;
}

/** Adding facts one after the other, from the number `first`. */
export async function addingFacts(user, first, repetitions) {
  return timed(
    repetitions,
    (number) => user.facts.add(text(first + number)),
    ({ action }) => expect(action === "created", "a new fact was not created"),
  );
}

/** Remembering `count` messages, as many in one call as are allowed. Answers the whole time and leaves the memory open. */
export async function fillWithMessages(openMemory, options, count) {
  const memory = await openMemory({ ...options, extraction: { auto: false } });
  const user = memory.scope(scope);
  const ids = [];
  const start = performance.now();
  for (let first = 0; first < count; first += MESSAGES_PER_CALL) {
    const messages = Array.from({ length: MESSAGES_PER_CALL }, (_, number) => ({ role: "user", content: text(first + number) }));
    ids.push(...(await user.remember(messages)).messageIds);
  }
  const time = performance.now() - start;
  await memory.idle();
  expect(new Set(ids).size === count, `${count} messages have not as many ids`);
  return { memory, ids, time };
}

/** Searching messages by words and the built-in embedder. */
export async function searchingMessages({ memory, ids }, repetitions) {
  const user = memory.scope(scope);
  const target = targetOf(ids.length);
  return timed(
    repetitions,
    (number) => user.threads.search(query(target(number)), { limit: 10 }),
    (found, number) => {
      expect(found.length === 10, `${found.length} messages were found, not 10`);
      expect(found[0].id === ids[target(number)], "another message is the best");
    },
  );
}

/** One of several users in turn; the first is the user of all other benches. */
const userOf = (memory, number, users) => memory.scope(number % users === 0 ? scope : { userId: `user ${number % users}` });

/** Opens a memory with `count` facts of one or more users that have vectors of 384 dimensions. */
export async function fillWithFacts(openMemory, options, count, users = 1) {
  const model = embedder();
  const memory = await openMemory({ ...options, embed: { id: model.id, embed: model.embed } });
  const user = memory.scope(scope);
  const ids = [];
  const start = performance.now();
  for (let first = 0; first < count; first += FACTS_AT_ONCE) {
    const adding = Array.from({ length: FACTS_AT_ONCE }, (_, number) => userOf(memory, number, users).facts.add(text(first + number)));
    ids.push(...(await Promise.all(adding)).map(({ id }) => id));
  }
  await memory.idle();
  const time = performance.now() - start - model.spent();
  expect((await memory.usage()).vectors === count, `not all of ${count} facts have a vector`);
  return { memory, user, model, ids, time };
}

/** Importing `count` facts with their vectors, as many in one call as are allowed. Making the vectors does not count. */
export async function importing(openMemory, options, count) {
  const model = embedder();
  const facts = Array.from({ length: count }, (_, number) => ({ text: text(number), sourceId: `${number}`, embedding: vector(number) }));
  const memory = await openMemory({ ...options, embed: { id: model.id, embed: model.embed } });
  const user = memory.scope(scope);
  const start = performance.now();
  for (let first = 0; first < count; first += FACTS_PER_IMPORT) {
    const { added } = await user.facts.import(facts.slice(first, first + FACTS_PER_IMPORT));
    expect(added === Math.min(FACTS_PER_IMPORT, count - first), "not all facts of an import are new");
  }
  const time = performance.now() - start;
  expect((await memory.usage()).vectors === count, `not all of ${count} facts have a vector`);
  const { known } = await user.facts.import(facts.slice(0, FACTS_PER_IMPORT));
  expect(known === FACTS_PER_IMPORT, "facts were imported twice");
  await memory.close();
  return time;
}

/** Recalling and searching among facts by words and meaning, without the embedder's own time. */
export async function recalling({ user, model, ids }, repetitions) {
  const target = targetOf(ids.length);
  const asked = (number) => query(target(number));
  const recall = await timed(
    repetitions,
    (number) => user.recall(asked(number), RECALL),
    ({ items, text: block }, number) => {
      expect(items.length === RECALL.limit, `${items.length} lines were recalled, not ${RECALL.limit}`);
      expect(items[0].id === ids[target(number)], "another fact is the best");
      expect(block.includes(text(target(number))), "the best fact is not in the text");
    },
    model.spent,
  );
  const search = await timed(
    repetitions,
    (number) => user.facts.search(asked(number), { limit: 10 }),
    (found, number) => {
      expect(found.length === 10, `${found.length} facts were found, not 10`);
      expect(found[0].id === ids[target(number)], "another fact is the best");
    },
    model.spent,
  );
  return { recall, search };
}

/** Opening a memory that holds facts, up to the first recall: milliseconds of opening alone, and with the recall. */
export async function opening(openMemory, options, { records, id, number }) {
  const model = embedder();
  const start = performance.now();
  const memory = await openMemory({ ...options, embed: { id: model.id, embed: model.embed } });
  const opened = performance.now() - start;
  const { items } = await memory.scope(scope).recall(query(number), RECALL);
  const recalled = performance.now() - start - model.spent();
  // What is not related is left out.
  expect(items[0]?.id === id, "the first recall has another answer");
  expect((await memory.usage()).records === records, `not all of ${records} facts are there`);
  await memory.close();
  return { opened, recalled };
}
