/** The checkpointer for LangGraph, in graphs that are interrupted, resumed, looked back at and branched. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { mapStorage } from "../../scripts/map-storage.mjs";
import { all, langGraphProject } from "./support/langgraph.mjs";

let project, mnemic, adapter, langgraph, checkpoint;
let memory, user, saver;
let opened = 0;

before(async () => ({ project, mnemic, adapter, langgraph, checkpoint } = await langGraphProject()));
after(async () => {
  await memory?.close();
  await project?.remove();
});
beforeEach(() => open("memory"));

async function open(storage) {
  await memory?.close();
  memory = await mnemic.openMemory({ name: storage === "memory" ? `saver-${(opened += 1)}` : "saver", storage });
  user = memory.scope({ userId: "alice" });
  saver = new adapter.MnemicSaver(user);
}

const thread = (thread_id, more) => ({ configurable: { thread_id, ...more } });
const loop = { source: "loop", step: 0, parents: {} };
const stored = (labels) => user.documents.list(labels, { limit: 1000 });
const bytesOf = (texts) => new TextEncoder().encode(texts);

/** A graph that adds to a list until it has `length` items. */
function counting(length, checkpointer = saver) {
  const { Annotation, END, START, StateGraph } = langgraph;
  const State = Annotation.Root({
    count: Annotation({ reducer: (one, other) => one.concat(other), default: () => [] }),
    constant: Annotation(),
  });
  return new StateGraph(State)
    .addNode("add", ({ count }) => ({ count: [count.length + 1] }))
    .addEdge(START, "add")
    .addConditionalEdges("add", ({ count }) => (count.length < length ? "add" : END))
    .compile({ checkpointer });
}

/** A graph that asks a person before it sends. */
function asking(checkpointer = saver) {
  const { Annotation, END, interrupt, START, StateGraph } = langgraph;
  const State = Annotation.Root({ draft: Annotation(), verdict: Annotation(), sent: Annotation() });
  return new StateGraph(State)
    .addNode("write", () => ({ draft: "Dear Bob" }))
    .addNode("review", ({ draft }) => ({ verdict: interrupt({ draft }) }))
    .addNode("send", ({ draft, verdict }) => ({ sent: `${draft}: ${verdict}` }))
    .addEdge(START, "write").addEdge("write", "review").addEdge("review", "send").addEdge("send", END)
    .compile({ checkpointer });
}

describe("graphs", () => {
  test("it is a BaseCheckpointSaver", () => assert.ok(saver instanceof checkpoint.BaseCheckpointSaver));

  test("a thread goes on where it was, and its history is told from the end", async () => {
    const graph = counting(4);
    assert.deepEqual((await graph.invoke({ constant: "c" }, thread("a"))).count, [1, 2, 3, 4]);
    const { values, next, metadata } = await graph.getState(thread("a"));
    assert.deepEqual([values, next, metadata.step], [{ count: [1, 2, 3, 4], constant: "c" }, [], 4]);
    const history = await all(graph.getStateHistory(thread("a")));
    assert.deepEqual(history.map(({ metadata }) => metadata.step), [4, 3, 2, 1, 0, -1]);
    assert.deepEqual(history.map(({ values }) => values.count?.length ?? 0), [4, 3, 2, 1, 0, 0]);
    assert.deepEqual((await graph.invoke({}, thread("a"))).count, [1, 2, 3, 4, 5]);
    assert.deepEqual((await graph.getState(thread("b"))).values, {}, "another thread has nothing of it");
  });

  test("a question to a person outlasts the program, and the answer goes on from it", async () => {
    const { Command } = langgraph;
    const storage = mapStorage();
    await open(storage);
    const { __interrupt__: asked } = await asking().invoke({}, thread("mail"));
    assert.deepEqual(asked.map(({ value }) => value), [{ draft: "Dear Bob" }]);

    await open(storage);
    const { next, tasks } = await asking().getState(thread("mail"));
    assert.deepEqual([next, tasks[0].interrupts[0].value], [["review"], { draft: "Dear Bob" }]);
    const done = await asking().invoke(new Command({ resume: "fine" }), thread("mail"));
    assert.equal(done.sent, "Dear Bob: fine");

    await open(storage);
    assert.equal((await asking().getState(thread("mail"))).values.sent, "Dear Bob: fine");
  });

  test("back in time, a branch begins, and each branch keeps its own values", async () => {
    const graph = counting(3);
    await graph.invoke({ constant: "c" }, thread("t"));
    const history = await all(graph.getStateHistory(thread("t")));
    const second = history.find(({ metadata }) => metadata.step === 1);
    const original = history.map(({ config, values }) => [config, values]);

    const branch = await graph.updateState(second.config, { count: ["branched"], constant: "d" });
    assert.deepEqual((await graph.getState(branch)).values, { count: [1, "branched"], constant: "d" });
    assert.deepEqual((await graph.invoke(null, branch)).count, [1, "branched", 3]);
    for (const [config, values] of original) assert.deepEqual((await graph.getState(config)).values, values, "the first branch is as it was");
    assert.deepEqual((await graph.getState(thread("t"))).values.count, [1, "branched", 3], "the latest is of the branch");

    assert.deepEqual((await graph.invoke(null, second.config)).count, [1, 2, 3], "replayed from there");
    const copy = await graph.updateState(second.config, null, "__copy__");
    assert.deepEqual((await graph.getState(copy)).values, { count: [1], constant: "c" });
  });

  test("a task that failed is done again, those beside it are not", async () => {
    const { Annotation, Send, START, StateGraph } = langgraph;
    const State = Annotation.Root({ done: Annotation({ reducer: (one, other) => one.concat(other), default: () => [] }) });
    let isBroken = true;
    const runs = [];
    const graph = new StateGraph(State)
      .addNode("work", ({ name }) => {
        runs.push(name);
        if (name === "b" && isBroken) throw new Error("no connection");
        return { done: [name] };
      })
      .addConditionalEdges(START, () => ["a", "b", "c"].map((name) => new Send("work", { name })))
      .compile({ checkpointer: saver });
    await assert.rejects(graph.invoke({}, thread("jobs")), /no connection/);
    isBroken = false;
    assert.deepEqual((await graph.invoke(null, thread("jobs"))).done, ["a", "b", "c"]);
    assert.deepEqual(runs, ["a", "b", "c", "b"]);
  });

  test("a graph inside of another has checkpoints of its own", async () => {
    const { Annotation, Command, END, interrupt, START, StateGraph } = langgraph;
    const State = Annotation.Root({ name: Annotation() });
    const inner = new StateGraph(State).addNode("ask", () => ({ name: interrupt("Who?") })).addEdge(START, "ask").addEdge("ask", END).compile();
    const outer = new StateGraph(State).addNode("inner", inner).addEdge(START, "inner").addEdge("inner", END).compile({ checkpointer: saver });
    await outer.invoke({}, thread("nested"));
    const { tasks } = await outer.getState(thread("nested"), { subgraphs: true });
    assert.deepEqual(tasks[0].state.next, ["ask"]);
    const namespaces = new Set((await all(saver.list(thread("nested")))).map(({ config }) => config.configurable.checkpoint_ns));
    assert.equal(namespaces.size, 2);
    assert.ok([...namespaces].some((namespace) => namespace.startsWith("inner:")));
    assert.deepEqual(await outer.invoke(new Command({ resume: "Ana" }), thread("nested")), { name: "Ana" });
  });

  test("messages come back as what they are", async () => {
    const { MessagesAnnotation, START, StateGraph } = langgraph;
    const messages = await project.import('export * from "@langchain/core/messages";');
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("reply", ({ messages: said }) => ({ messages: [new messages.AIMessage(`You said: ${said.at(-1).content}`)] }))
      .addEdge(START, "reply")
      .compile({ checkpointer: saver });
    await graph.invoke({ messages: [new messages.HumanMessage("Hi")] }, thread("chat"));
    const { values } = await graph.getState(thread("chat"));
    assert.ok(messages.HumanMessage.isInstance(values.messages[0]) && messages.AIMessage.isInstance(values.messages[1]));
    assert.equal(values.messages[1].content, "You said: Hi");
  });

  test("a channel of differences is put together from what was written", async () => {
    const { Annotation, DeltaChannel, START, StateGraph } = langgraph;
    const State = Annotation.Root({ log: () => new DeltaChannel((one = [], writes) => one.concat(...writes), { initialValueFactory: () => [] }) });
    const graph = new StateGraph(State).addNode("note", () => ({ log: ["noted"] })).addEdge(START, "note").compile({ checkpointer: saver });
    await graph.invoke({ log: ["first"] }, thread("delta"));
    await graph.invoke({ log: ["second"] }, thread("delta"));
    assert.deepEqual((await graph.getState(thread("delta"))).values.log, ["first", "noted", "second", "noted"]);
  });
});

describe("checkpoints", () => {
  /** Puts checkpoints one after the other; answers their configurations. */
  async function chain(config, count, valuesOf = () => ({}), metadata = (step) => ({ ...loop, step })) {
    const configs = [];
    let versions = {};
    for (let step = 0; step < count; step += 1) {
      const values = valuesOf(step);
      const changed = Object.fromEntries(Object.keys(values).map((name) => [name, saver.getNextVersion(Object.hasOwn(versions, name) ? versions[name] : undefined)]));
      versions = { ...versions, ...changed };
      const next = { ...checkpoint.emptyCheckpoint(), id: checkpoint.uuid6(step), channel_values: values, channel_versions: versions };
      config = await saver.put(config, next, metadata(step), changed);
      configs.push(config);
    }
    return configs;
  }
  const steps = (tuples) => tuples.map(({ metadata }) => metadata.step);

  test("a value that does not change is stored once", async () => {
    const large = "x".repeat(20_000);
    await chain(thread("t"), 20, (step) => (step === 0 ? { large, small: 0 } : { small: step }));
    const tuples = await all(saver.list(thread("t")));
    assert.ok(tuples.every(({ checkpoint: { channel_values } }) => channel_values.large === large));
    const values = await stored(["langgraph-checkpoints", "values"]);
    assert.deepEqual(values.filter(({ namespace }) => namespace.at(-1) === "large").length, 1);
    const bytes = (await stored(["langgraph-checkpoints"])).reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(bytes < 2 * large.length, `${bytes} bytes`);
  });

  test("bytes stay bytes", async () => {
    const bytes = new Uint8Array(256).map((_, place) => place);
    const [config] = await chain(thread("t"), 1, () => ({ bytes }));
    const { channel_values } = (await saver.getTuple(config)).checkpoint;
    assert.deepEqual(channel_values.bytes, bytes);
  });

  /** A function in the state made its whole thread unreadable. */
  test("what no serializer writes is left out, and the thread is read", async () => {
    const value = { ...checkpoint.emptyCheckpoint(), channel_values: { kept: 1, lost: () => 1 }, channel_versions: { kept: 1, lost: 1 } };
    const config = await saver.put(thread("functions"), value, loop, value.channel_versions);
    await saver.putWrites(config, [["kept", 2], ["lost", () => 2]], "task");
    const { checkpoint: read, pendingWrites } = await saver.getTuple(thread("functions"));
    assert.deepEqual([read.channel_values, pendingWrites], [{ kept: 1 }, [["task", "kept", 2]]]);
  });

  test("large values and writes come back whole, in every script and as bytes", async () => {
    const values = { latin: "quote \" and \\ ".repeat(60_000), korean: "기억".repeat(200_000), emoji: `x${"🧠".repeat(300_000)}`, bytes: new Uint8Array(1_500_000).map((_, place) => place * 7) };
    const [config] = await chain(thread("t"), 1, () => values);
    await saver.putWrites(config, [["list", values.emoji], ["list", values.bytes]], "task");
    const { checkpoint: found, pendingWrites } = await saver.getTuple(config);
    assert.deepEqual(found.channel_values, values);
    assert.deepEqual(pendingWrites.map(([, , value]) => value), [values.emoji, values.bytes]);
    await saver.deleteThread("t");
    assert.deepEqual(await stored(["langgraph-checkpoints"]), []);
  });

  test("are listed from the latest, before one, by metadata and of several threads", async () => {
    const a = await chain(thread("a"), 5, undefined, (step) => ({ ...loop, step, "dotted.name": step % 2 }));
    await chain(thread("b", { checkpoint_ns: "child:1|deep:2" }), 2);
    assert.deepEqual(steps(await all(saver.list(thread("a")))), [4, 3, 2, 1, 0]);
    assert.deepEqual(steps(await all(saver.list(thread("a"), { limit: 2 }))), [4, 3]);
    assert.deepEqual(steps(await all(saver.list(thread("a"), { limit: 0 }))), []);
    assert.deepEqual(steps(await all(saver.list(thread("a"), { before: a[2] }))), [1, 0]);
    assert.deepEqual(steps(await all(saver.list(a[2]))), [2]);
    assert.deepEqual(steps(await all(saver.list(thread("a"), { filter: { step: 3 } }))), [3]);
    assert.deepEqual(steps(await all(saver.list(thread("a"), { filter: { "dotted.name": 1 } }))), [3, 1]);
    assert.deepEqual(steps(await all(saver.list(thread("a"), { filter: { parents: {}, step: 0 } }))), [0]);
    assert.deepEqual(steps(await all(saver.list(thread("a"), { filter: { missing: undefined, step: 0 } }))), [0]);
    assert.equal((await all(saver.list({}))).length, 7);
    assert.deepEqual(steps(await all(saver.list({ configurable: { checkpoint_ns: "child:1|deep:2" } }))), [1, 0]);
    const ids = (await all(saver.list({}))).map(({ checkpoint: { id } }) => id);
    assert.deepEqual(ids, [...ids].sort().reverse());
  });

  test("more than a page of them are listed, each once", async () => {
    await chain(thread("long"), 250);
    const tuples = await all(saver.list(thread("long")));
    assert.deepEqual(steps(tuples), Array.from({ length: 250 }, (_, place) => 249 - place));
    assert.equal((await all(saver.list({}, { limit: 230 }))).length, 230);
    const seen = [];
    for await (const tuple of saver.list(thread("long", { checkpoint_ns: "" }))) {
      if (seen.length === 0) await chain(thread("long"), 5, undefined, (step) => ({ ...loop, step: step + 1000 }));
      seen.push(tuple);
      if (seen.length === 100) break;
    }
    assert.deepEqual(steps(seen), Array.from({ length: 100 }, (_, place) => 249 - place), "what is put meanwhile moves nothing");
  });

  test("names may be any text", async () => {
    for (const name of ["a.b..c", "__proto__", "constructor", "a/b:c|d", " ", "*", "ü".repeat(100), "langgraph"]) {
      const [config] = await chain(thread(name, { checkpoint_ns: name }), 1, () => ({ [name]: name }));
      assert.deepEqual(config, thread(name, { checkpoint_ns: name, checkpoint_id: config.configurable.checkpoint_id }));
      const { checkpoint: found } = await saver.getTuple(thread(name, { checkpoint_ns: name }));
      assert.deepEqual(Object.entries(found.channel_values), [[name, name]]);
      assert.equal((await all(saver.list(thread(name)))).length, 1);
    }
    assert.equal(Object.prototype.undefined, undefined);
  });

  test("what a task wrote stays, but for what it asks and is answered, in the order of the graph", async () => {
    const { INTERRUPT, RESUME } = checkpoint;
    const [config] = await chain(thread("t"), 1);
    await saver.putWrites(config, [["list", 1], [INTERRUPT, "first"]], "task-b", "~pull, b");
    await saver.putWrites(config, [["list", 2], [INTERRUPT, "second"], ["list", 3]], "task-b", "~pull, b");
    await saver.putWrites(config, [["list", 4]], "task-c", "~pull, a");
    await saver.putWrites(config, [[RESUME, "yes"]], "task-a");
    await saver.putWrites(config, [], "task-z");
    assert.deepEqual((await saver.getTuple(config)).pendingWrites, [
      ["task-a", RESUME, "yes"],
      ["task-c", "list", 4],
      ["task-b", INTERRUPT, "second"],
      ["task-b", "list", 1],
      ["task-b", "list", 3],
    ]);
  });

  test("thousands of writes wait for a checkpoint", async () => {
    const [config] = await chain(thread("t"), 1);
    const writes = Array.from({ length: 2500 }, (_, number) => ["list", number]);
    await saver.putWrites(config, writes, "task");
    assert.deepEqual((await saver.getTuple(config)).pendingWrites.map(([, , value]) => value), writes.map(([, value]) => value));
  });

  test("versions grow, also from those of another checkpointer, and branches do not share them", () => {
    let version;
    for (const _ of Array(50)) {
      const [next, other] = [saver.getNextVersion(version), saver.getNextVersion(version)];
      assert.ok(Number.isSafeInteger(next) && next > (version ?? 0));
      assert.notEqual(next, other);
      version = next;
    }
    assert.ok(saver.getNextVersion(17) > 17);
    assert.throws(() => saver.getNextVersion("17"), Error);
  });

  test("a serializer of one's own is asked for every value and every write", async () => {
    const serde = { dumpsTyped: async (value) => ["own", bytesOf(`own ${JSON.stringify(value)}`)], loadsTyped: async (type, data) => JSON.parse(new TextDecoder().decode(data).slice("own ".length)) };
    saver = new adapter.MnemicSaver(user, serde);
    const [config] = await chain(thread("t"), 1, () => ({ a: { b: [1] } }));
    await saver.putWrites(config, [["c", "d"]], "task");
    const tuple = await saver.getTuple(config);
    assert.deepEqual([tuple.checkpoint.channel_values, tuple.pendingWrites, tuple.metadata], [{ a: { b: [1] } }, [["task", "c", "d"]], loop]);
  });

  test("what is missing or wrong is named", async () => {
    const isRefused = (pattern) => (error) => error instanceof mnemic.InvalidInputError && pattern.test(error.message);
    const empty = checkpoint.emptyCheckpoint();
    await assert.rejects(saver.put({}, empty, loop, {}), isRefused(/configurable\.thread_id/));
    await assert.rejects(saver.put(thread(""), empty, loop, {}), isRefused(/configurable\.thread_id/));
    await assert.rejects(saver.put(thread(5), empty, loop, {}), isRefused(/configurable\.thread_id: a number/));
    await assert.rejects(saver.put(thread("t", { checkpoint_ns: 5 }), empty, loop, {}), isRefused(/configurable\.checkpoint_ns/));
    await assert.rejects(saver.putWrites(thread("t"), [["a", 1]], "task"), isRefused(/configurable\.checkpoint_id/));
    await assert.rejects(saver.deleteThread(""), isRefused(/thread_id/));
    assert.equal(await saver.getTuple({}), undefined);
    assert.equal(await saver.getTuple(thread("t", { checkpoint_id: "none" })), undefined);
  });
});

test("a memory on Cloudflare is used as one here is", async () => {
  const { memoryClient } = await project.import('export * from "mnemic/cloudflare/client";');
  const local = user;
  /** Answers as the router does. */
  const fetch = async (url, { body }) => {
    const path = new URL(url).pathname.replace("/call/", "").split(".");
    const method = path.pop();
    const target = path.reduce((value, name) => value[name], local);
    return Response.json({ value: (await target[method](...JSON.parse(body).args)) ?? null });
  };
  const remote = new adapter.MnemicSaver(memoryClient({ url: "https://app.example", fetch }));
  assert.deepEqual((await counting(3, remote).invoke({ constant: "c" }, thread("t"))).count, [1, 2, 3]);
  assert.deepEqual((await counting(3).getState(thread("t"))).values, { count: [1, 2, 3], constant: "c" });
  await remote.deleteThread("t");
  assert.equal(await saver.getTuple(thread("t")), undefined);
});

describe("deleting a thread", () => {
  const holds = ({ pairs }, words) => [...pairs.values()].some((value) => Buffer.from(value).includes(words));

  test("erases its values and writes from the storage, and leaves other threads", async () => {
    const storage = mapStorage();
    await open(storage);
    const graph = counting(3);
    await graph.invoke({ constant: "the secret word" }, thread("a"));
    await graph.invoke({ constant: "another word" }, thread("b"));
    await graph.updateState(thread("a"), { constant: "the secret word again" });
    assert.ok(holds(storage, "secret word"));
    await saver.deleteThread("a");
    assert.equal(await saver.getTuple(thread("a")), undefined);
    assert.deepEqual((await graph.getState(thread("b"))).values.constant, "another word");
    await memory.close();
    memory = undefined;
    assert.ok(!holds(storage, "secret word"));
    assert.ok(holds(storage, "another word"));
  });

  test("and writing it anew again and again leaves no more than once", async () => {
    const storage = mapStorage();
    await open(storage);
    const bytes = () => [...storage.pairs.values()].reduce((sum, value) => sum + value.length, 0);
    const round = async () => {
      await counting(5).invoke({ constant: "x".repeat(10_000) }, thread("t"));
      await saver.deleteThread("t");
    };
    const sizes = [];
    for (let number = 0; number < 12; number += 1) sizes.push((await round(), bytes()));
    assert.ok(sizes.at(-1) < sizes[1] + 20_000, `${sizes}`);
  });
});
