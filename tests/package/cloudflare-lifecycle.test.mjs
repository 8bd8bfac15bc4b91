/** The alarm of a user's object, when rests, wakings and failures meet: what is due is never left without one. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

let project, Lifecycle, errors;

before(async () => {
  project = await createProject();
  ({ Lifecycle } = await project.import('export * from "./node_modules/mnemic/cloudflare/lifecycle.js";'));
  errors = await project.import('export * from "./node_modules/mnemic/errors.js";');
});

after(() => project?.remove());

/** Something that is waited for, and given by the test. */
function promised() {
  let give;
  const given = new Promise((resolve) => (give = resolve));
  return { given, give };
}

/** A memory with work at `due`, whose steps the test holds back. */
class Idling {
  closed = false;
  crashed = false;
  /** How many times it was asked to do what is due, who waits for that, and what holds it back. */
  asked = 0;
  #waiting = [];
  held = [];

  constructor(due) {
    this.due = due;
  }

  on() {}

  #usable() {
    if (this.crashed) throw new errors.CrashedError("crashed");
    if (this.closed) throw new errors.ClosedError("closed");
  }

  async idle() {
    this.asked += 1;
    for (const waiting of this.#waiting) if (waiting.count === this.asked) waiting.give();
    await this.held[this.asked]?.given;
    this.#usable();
    return { failed: [] };
  }

  /** Waits until it is asked that often. */
  async idled(count) {
    if (this.asked >= count) return;
    const { given, give } = promised();
    this.#waiting.push({ count, give });
    await given;
  }

  async jobs() {
    this.#usable();
    return [{ kind: "extraction", due: false, running: false, nextAt: this.due }];
  }

  async close() {
    this.closed = true;
  }
}

/** What an object has of its alarm. */
class Alarms {
  alarm = null;
  #pairs = new Map();
  kv = { get: (key) => this.#pairs.get(key), put: (key, value) => this.#pairs.set(key, value), delete: (key) => this.#pairs.delete(key) };

  async getAlarm() {
    return this.alarm;
  }

  async setAlarm(time) {
    this.alarm = time;
    await this.onSet?.();
  }

  async deleteAlarm() {
    this.alarm = null;
  }
}

const later = () => Date.now() + 86_400_000;

test("a rest that was overtaken by another leaves the alarm alone", async () => {
  const memory = new Idling(later());
  const alarms = new Alarms();
  const closed = promised();
  const lifecycle = new Lifecycle(async () => memory, alarms, 0, (kind) => kind === "close" && closed.give());
  memory.held[2] = promised();
  memory.held[3] = promised();
  const waking = lifecycle.wake();
  // The waking rests, and so does the timer of its use.
  await memory.idled(3);
  memory.held[2].give();
  await closed.given;
  await waking;
  memory.held[3].give();
  for (let turn = 0; turn < 100; turn += 1) await null;
  assert.equal(alarms.alarm, memory.due);
});

test("an alarm that fires while an object goes to rest is set again for what is due", async () => {
  const memories = [new Idling(Date.now() - 1), new Idling(Date.now() - 1)];
  const [first, second] = memories;
  const alarms = new Alarms();
  const lifecycle = new Lifecycle(async () => memories.shift(), alarms, 0, () => {});
  let waking;
  second.held[2] = promised();
  await lifecycle.use(async () => {});
  const fired = promised();
  alarms.onSet = async () => {
    alarms.onSet = undefined;
    // It is due at once, so it fires before the object knows that it is set.
    alarms.alarm = null;
    waking = lifecycle.wake();
    fired.give();
  };
  await fired.given;
  await second.idled(2);
  assert.equal(first.closed, true);
  assert.ok(alarms.alarm !== null, "an eviction now would leave what is due for ever");
  second.held[2].give();
  await waking;
  assert.ok(alarms.alarm !== null);
});

test("a memory that crashed when its alarm was used up has another", async () => {
  const memory = new Idling(later());
  const alarms = new Alarms();
  const lifecycle = new Lifecycle(async () => memory, alarms, 60_000, () => {});
  const { release } = await lifecycle.hold();
  await lifecycle.use(async () => {
    alarms.alarm = null;
    memory.crashed = true;
  });
  assert.ok(alarms.alarm > Date.now());
  await release();
  await lifecycle.end(async () => {});
});

test("a deletion is the last word: a call that ends meanwhile sets no alarm", async () => {
  const memory = new Idling(later());
  const alarms = new Alarms();
  const lifecycle = new Lifecycle(async () => memory, alarms, 60_000, () => {});
  const { release } = await lifecycle.hold();
  const asking = promised();
  const answering = promised();
  alarms.getAlarm = async () => {
    asking.give();
    await answering.given;
    return null;
  };
  const releasing = release();
  await asking.given;
  const ending = lifecycle.end(() => alarms.deleteAlarm());
  for (let turn = 0; turn < 100; turn += 1) await null;
  answering.give();
  await Promise.all([releasing, ending]);
  assert.equal(alarms.alarm, null);
});
