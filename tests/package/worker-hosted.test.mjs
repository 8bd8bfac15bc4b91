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
