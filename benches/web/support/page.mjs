/** What the browser's benches call in the page. The package is not imported before it is asked for. */
import { text, vector } from "./corpus.mjs";
import { keywords, plainStore } from "./peers.mjs";
import { forgetting } from "./forgetting.mjs";
import { guarding } from "./guarding.mjs";
import { facts, importing, messages, profile } from "./report.mjs";
import { expect, timed } from "./timing.mjs";
import * as thread from "./thread.mjs";
import { transferring } from "./transferring.mjs";
import { working } from "./worker.mjs";
import * as workload from "./workload.mjs";

/** Another build can be measured beside the present one. */
const pkg = new URL(new URLSearchParams(location.search).get("package") ?? "../../../pkg/", import.meta.url);
const FACTS = "facts";

/** A key of the application's. */
const encryption = async () => ({
  key: await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]),
});

const optionsOf = async (users, isEncrypted) => ({
  name: `of-${users}-${isEncrypted ? "encrypted" : "plain"}`,
  ...(isEncrypted && { encryption: await encryption() }),
});

async function openEngine(configuration) {
  const { instances } = await import(new URL("instance.js", pkg));
  const load = async (file) => WebAssembly.compileStreaming(fetch(new URL(file, pkg)));
  const instance = await instances(load)();
  return instance.open(configuration);
}

async function runtime() {
  const { openMemory } = await import(new URL("entry/browser.js", pkg));
  return { openMemory, openEngine };
}

globalThis.bench = {
  /** Imports the package and opens a first memory: milliseconds of both. */
  async start() {
    const start = performance.now();
    const { openMemory } = await runtime();
    const imported = performance.now();
    await openMemory({ name: "start", storage: "memory" });
    return [imported - start, performance.now() - imported];
  },

  profile: async () => profile(await runtime()),

  importing: async (options, count) => importing(await runtime(), options, count),

  messages: async (options, count) => messages(await runtime(), options, count),

  /** Two messages, durable; beside it a plain transaction that is as durable. */
  async remember(durability, repetitions) {
    const { openMemory } = await runtime();
    const times = await workload.remembering(openMemory, { name: `remember-${durability}`, storage: "indexeddb", durability }, repetitions);
    const store = await plainStore(`plain-${durability}`);
    const said = (id) => ({ id, role: "user", content: text(id) });
    const plain = await timed(
      repetitions,
      (number) => store.put([said(2 * number), said(2 * number + 1)], durability),
      () => {},
    );
    expect((await store.all()).length >= 2 * repetitions, "the plain store lost messages");
    store.close();
    return { times, plain };
  },

  /** Fills the memory that `open` opens, and what an application would have in its place. Answers the rows and what to expect. */
  async facts(count) {
    const { rows, memory, ids } = await facts(await runtime(), { name: FACTS, storage: "indexeddb", durability: "relaxed" }, count);
    const { records } = await memory.usage();
    await memory.close();
    const store = await plainStore(FACTS);
    const each = (id) => ({ id, text: text(id), vector: vector(id) });
    await store.put(Array.from({ length: count }, (_, id) => each(id)), "relaxed");
    store.close();
    return { rows, expected: { records, number: 7, id: ids[7] } };
  },

  /** Opens the filled memory on this fresh page. */
  async open(expected) {
    const { openMemory } = await runtime();
    return workload.opening(openMemory, { name: FACTS }, expected);
  },

  /** Fills a memory of several users that `openOf` opens, encrypted or not. */
  async fillOf(count, users, isEncrypted) {
    const { openMemory } = await runtime();
    const options = { ...(await optionsOf(users, isEncrypted)), storage: "indexeddb", durability: "relaxed" };
    const { memory, ids } = await workload.fillWithFacts(openMemory, options, count, users);
    await memory.idle();
    const { records } = await memory.usage();
    await memory.close();
    return { records, number: 0, id: ids[0] };
  },

  /** Opens it on this fresh page. */
  async openOf(users, isEncrypted, expected) {
    const { openMemory } = await runtime();
    return workload.opening(openMemory, await optionsOf(users, isEncrypted), expected);
  },

  guarding: async (options) => guarding((await runtime()).openMemory, options),
  transferring: async (options, count) => transferring((await runtime()).openMemory, options, count),
  forgetting: async (options, records) => forgetting((await runtime()).openMemory, options, records),

  threadFill: async (options, count, isOwn) => thread.filled((await runtime()).openMemory, options, count, isOwn),
  threadOpen: async (options, isOwn, expected) => thread.opened((await runtime()).openMemory, options, isOwn, expected),
  thread: async (options, name) => thread.active((await runtime()).openMemory, options, name),
  activities: async () => Object.keys(thread.activities),
  working: async (options, count) => working((await runtime()).openMemory, options, count),

  /** Milliseconds from a passphrase to an open memory in which nothing is. */
  async passphrase() {
    const { openMemory } = await runtime();
    await openMemory({ name: "start", storage: "memory", encryption: await encryption() });
    const start = performance.now();
    await openMemory({ name: "start", storage: "memory", encryption: { passphrase: "four words nobody guesses" } });
    return performance.now() - start;
  },

  /** Reads as many texts and vectors from a plain store, and indexes the texts with MiniSearch. */
  async openPlain(count) {
    const start = performance.now();
    const store = await plainStore(FACTS);
    const objects = await store.all();
    keywords(count);
    expect(objects.length === count, "the plain store lost texts");
    store.close();
    return performance.now() - start;
  },
};
