/** LangGraph's checkpoints in Node: a long thread, and what its storage weighs while it is written, deleted and written anew. */
import { emptyCheckpoint, uuid6 } from "@langchain/langgraph-checkpoint";
import { mapStorage } from "../../scripts/map-storage.mjs";
import { at } from "../../scripts/project.mjs";
import { timed } from "./support/timing.mjs";

const CHECKPOINTS = 1500;
/** The latest three of so many checkpoints are to be listed within so many milliseconds. */
const LISTED_MS = 5;
const CHANNELS = 8;
const CONSTANT = "x".repeat(20_000);
const THREADS = 20;

export async function measure() {
  const { openMemory } = await import(at("pkg/entry/node.js"));
  const { MnemicSaver } = await import(at("pkg/langgraph/index.js"));
  const storage = mapStorage();
  const memory = await openMemory({ name: "bench", storage });
  const saver = new MnemicSaver(memory.scope({ userId: "alice" }));
  try {
    const thread = { configurable: { thread_id: "long", checkpoint_ns: "" } };
    const put = putter(saver, thread);
    const written = await timed(CHECKPOINTS / 1.2, put, ({ configurable }) => check(configurable.checkpoint_id, "an id"));
    const bytes = size(storage);
    const rows = [
      { name: "put a checkpoint with a new value and a write", ...written, unit: "ms" },
      { name: `list the latest 3 of ${CHECKPOINTS} checkpoints`, ...(await timed(200, () => all(saver.list(thread, { limit: 3 })), (found) => checkSteps(found, 3))), unit: "ms", target: LISTED_MS },
      { name: `get the latest of ${CHECKPOINTS} checkpoints`, ...(await timed(200, () => saver.getTuple(thread), (found) => checkSteps([found], 1))), unit: "ms" },
      { name: "stored for each checkpoint", value: bytes / CHECKPOINTS, unit: "bytes" },
    ];
    const sizes = [];
    for (let number = 0; number < THREADS; number += 1) {
      const short = { configurable: { thread_id: "short", checkpoint_ns: "" } };
      const putShort = putter(saver, short);
      for (let step = 0; step < 10; step += 1) await putShort(step);
      await saver.deleteThread("short");
      sizes.push(size(storage));
    }
    rows.push({ name: `storage after ${THREADS} threads were written and deleted, beyond that after the first`, value: sizes.at(-1) - sizes[0], unit: "bytes" });
    const start = performance.now();
    await saver.deleteThread("long");
    rows.push({ name: `delete a thread of ${CHECKPOINTS} checkpoints`, value: performance.now() - start, unit: "ms" });
    return rows;
  } finally {
    await memory.close();
  }
}

/** Puts one checkpoint after the other: a channel changes with each, and one holds a large constant. */
function putter(saver, thread) {
  let config = thread;
  let versions = {};
  return async (step) => {
    const changed = step === 0 ? ["constant", ...Array.from({ length: CHANNELS }, (_, place) => `channel-${place}`)] : [`channel-${step % CHANNELS}`];
    const newVersions = Object.fromEntries(changed.map((name) => [name, saver.getNextVersion(versions[name])]));
    versions = { ...versions, ...newVersions };
    const values = Object.fromEntries(Object.keys(versions).map((name) => [name, name === "constant" ? CONSTANT : { step, text: "a value that changed" }]));
    const checkpoint = { ...emptyCheckpoint(), id: uuid6(0), channel_values: values, channel_versions: versions };
    config = await saver.put(config, checkpoint, { source: "loop", step, parents: {} }, newVersions);
    await saver.putWrites(config, [["channel-0", step]], "task", "~pull, node");
    return config;
  };
}

function checkSteps(found, count) {
  check(found.length === count && found[0].metadata.step >= CHECKPOINTS - 1 && found[0].pendingWrites.length === 1, "the latest checkpoints");
  check(found.every(({ checkpoint }) => checkpoint.channel_values.constant === CONSTANT), "the constant");
}

function check(isRight, what) {
  if (!isRight) throw new Error(`expected ${what}`);
}

const size = ({ pairs }) => [...pairs.values()].reduce((sum, { length }) => sum + length, 0);

async function all(generator) {
  const items = [];
  for await (const item of generator) items.push(item);
  return items;
}
