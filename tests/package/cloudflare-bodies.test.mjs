/** Bodies of requests that do not end, or end too soon. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

let project, bodies;

before(async () => {
  project = await createProject();
  bodies = await project.import('export * from "./node_modules/mnemic/cloudflare/bodies.js";');
});

after(() => project?.remove());

/** A body that begins and goes on for ever; `isCancelled` says whether somebody has ended it. */
function endless() {
  const told = { isCancelled: false };
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Uint8Array.of(1)),
    pull: () => new Promise(() => {}),
    cancel: () => void (told.isCancelled = true),
  });
  return { body, told };
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** The answer to a request without a token waited for as long as its body dripped. */
test("a body that is not wanted is waited for a second at most", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { body, told } = endless();
  const drained = bodies.drain(body);
  await turns();
  context.mock.timers.tick(1000);
  await drained;
  assert.ok(told.isCancelled);
});

/** It held the memory open for as long as it dripped. */
test("a body that is wanted has five minutes to arrive, and one that is cut off is told as such", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const text = bodies.textOf(endless().body, 100).catch(({ code }) => code);
  await turns();
  context.mock.timers.tick(300_000);
  assert.equal(await text, "Timeout");
  const cut = new ReadableStream({ pull: (controller) => controller.error(new Error("the connection is gone")) });
  assert.equal(await bodies.textOf(cut, 100).catch(({ code }) => code), "Aborted");
});

test("of a body that is too long, what was not read is left to be drained", async () => {
  const body = new Blob(["x".repeat(300_000)]).stream();
  await assert.rejects(bodies.textOf(body, 100), { code: "InvalidInput", message: /more than 100 bytes/ });
  assert.equal(body.locked, false);
  await bodies.drain(body);
  assert.throws(() => bodies.taken(null, 100, 101), { code: "InvalidInput" });
  assert.equal(await bodies.textOf(new Blob(["grüße"]).stream(), 100), "grüße");
  assert.equal(await bodies.textOf(null, 100), "");
});
