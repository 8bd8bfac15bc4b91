/** One engine in a worker: how its pages leave it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

let project, Hosted, Wire;

before(async () => {
  project = await createProject();
  ({ Hosted, Wire } = await project.import(`
    export { Hosted } from "./node_modules/mnemic/worker/hosted.js";
    export { Wire } from "./node_modules/mnemic/worker/wire.js";
  `));
});

after(() => project?.remove());

test("a page that goes away while it closes its memory closes it once", async () => {
  const done = [];
  let closing;
  const engine = {
    listen() {},
    close: () => (done.push("close"), new Promise((resolve) => (closing = resolve))),
    free: () => done.push("free"),
  };
  const hosted = new Hosted(async () => engine, () => {}, () => done.push("closed"));
  const { port1, port2 } = new MessageChannel();
  const page = new Wire(port1, () => {});
  const leave = await hosted.join(port2);
  const closed = page.ask("close");
  for (let turn = 0; !closing; turn += 1) {
    assert.ok(turn < 1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  leave();
  leave();
  closing();
  // The page is gone, and nobody hears the answer.
  closed.catch(() => {});
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(done, ["closed", "close", "free"]);
  page.end(undefined);
});

/** A page that only looked whether there was something new while another wrote was told that the commit was its own. */
test("a commit is the own one of the page whose call is under way, and not of one that looks after itself", async () => {
  const waiting = [];
  let tell;
  const pending = (name) => new Promise((resolve) => waiting.push([name, resolve]));
  const engine = {
    listen: (heard) => (tell = heard),
    call: (method) => pending(method),
    refresh: () => pending("refresh"),
    close: async () => {},
    free() {},
  };
  const hosted = new Hosted(async () => engine, () => {}, () => {});
  const heard = [[], []];
  const pages = heard.map((events) => {
    const { port1, port2 } = new MessageChannel();
    return [new Wire(port1, (name, [text]) => void events.push(JSON.parse(text).remote)), port2];
  });
  for (const [, port] of pages) await hosted.join(port);
  const [one, two] = pages.map(([page]) => page);
  const until = async (holds) => {
    for (let turn = 0; !holds(); turn += 1) {
      assert.ok(turn < 1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const commit = async (count) => {
    tell(JSON.stringify({ type: "change", remote: false }));
    await until(() => heard.every((events) => events.length === count));
  };
  const asked = [one.ask("call", ["facts.add", "", "{}"]), two.ask("refresh"), two.ask("call", ["anything", "", "{}", undefined, true])];
  await until(() => waiting.length === 3);
  await commit(1);
  assert.deepEqual(heard, [[false], [true]]);
  for (const [, resolve] of waiting.splice(0)) resolve("");
  await Promise.all(asked);
  // Two pages at once cannot be told apart; background work is that of the page that called last.
  const both = [one.ask("call", ["facts.add", "", "{}"])];
  await until(() => waiting.length === 1);
  both.push(two.ask("call", ["facts.add", "", "{}"]));
  await until(() => waiting.length === 2);
  await commit(2);
  for (const [, resolve] of waiting.splice(0)) resolve("");
  await Promise.all(both);
  const look = one.ask("refresh");
  await until(() => waiting.length === 1);
  await commit(3);
  assert.deepEqual(heard, [[false, false, true], [true, false, false]]);
  waiting[0][1]();
  await look;
  for (const page of [one, two]) await page.ask("close");
  for (const page of [one, two]) page.end(undefined);
});

/** The call of a page that had closed its memory put the last of the other pages out: that one heard nothing any more. */
test("a call of a page that has left leaves the others in their places", async () => {
  const texts = [];
  let tell;
  const engine = { listen: (heard) => (tell = heard), call: async () => "", close: async () => {}, free() {} };
  const hosted = new Hosted(async () => engine, () => {}, () => {});
  const pages = ["left", "other"].map((name) => {
    const { port1, port2 } = new MessageChannel();
    return [new Wire(port1, (_, [text]) => void texts.push([name, JSON.parse(text).type])), port2];
  });
  for (const [, port] of pages) await hosted.join(port);
  const [left, other] = pages.map(([page]) => page);
  await left.ask("close");
  await left.ask("call", ["facts.list", "", "{}"]);
  tell(JSON.stringify({ type: "change" }));
  // What was told before is heard before the answer.
  await other.ask("call", ["facts.list", "", "{}"]);
  assert.deepEqual(texts, [["other", "change"]]);
  await other.ask("close");
  for (const page of [left, other]) page.end(undefined);
});
