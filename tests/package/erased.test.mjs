/** Words that are forgotten are in no stored byte: an app's own storage in Node, and a Durable Object's in workerd. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { mapStorage } from "../../scripts/map-storage.mjs";
import { forgotten, holds, NOTHING, options } from "./support/planting.mjs";
import { createProject } from "./support/project.mjs";
import { bundleWorker, startWorker } from "../../scripts/workerd.mjs";

const WORKER = `
import { DurableObject } from "cloudflare:workers";
import { openMemory } from "mnemic";
import { durableObjectStorage } from "mnemic/cloudflare";
import { forgotten, holds, options } from "./planting.js";

export class Chat extends DurableObject {
  async fetch(request) {
    const { whole, encrypted } = await request.json();
    const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]);
    const encryption = encrypted ? { encryption: { key } } : {};
    const open = () => openMemory({ ...options, name: "chat", storage: durableObjectStorage(this.ctx.storage), ...encryption });
    const stored = async () => {
      const found = [];
      for (const { key, value } of this.ctx.storage.sql.exec("SELECT key, value FROM mnemic_values")) {
        if (holds(new TextEncoder().encode(key)) || holds(new Uint8Array(value))) found.push(key);
      }
      return found;
    };
    return Response.json(await forgotten(open, stored, whole));
  }
}

export default {
  // An object for each case, by the path.
  fetch: (request, env) => env.OBJECT.get(env.OBJECT.idFromName(request.url)).fetch(request),
};
`;

let project, mnemic;

before(async () => {
  const planting = await readFile(join(import.meta.dirname, "support/planting.mjs"), "utf8");
  project = await createProject({ "worker.js": WORKER, "planting.js": planting });
  mnemic = await project.import('export * from "mnemic";');
});

after(() => project?.remove());

/** Checks what was found before and after. */
function check({ before, after }, encrypted) {
  assert.ok(before.told && before.kinds.length >= 7, `planted in ${before.kinds}`);
  assert.equal(before.stored.length > 0, !encrypted, "a scan finds what is plain, and nothing of what is encrypted");
  assert.deepEqual(after, NOTHING);
}

const CASES = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
];
const named = ([whole, encrypted]) => `${whole ? "a scope" : "a conversation and what is stored apart"}${encrypted ? ", encrypted" : ""}`;

for (const [whole, encrypted] of CASES) {
  test(`an app's own storage: ${named([whole, encrypted])}`, async () => {
    const pairs = new Map();
    const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), "AES-GCM", false, ["encrypt", "decrypt"]);
    const open = () => mnemic.openMemory({ ...options, name: "erased", storage: mapStorage(pairs), ...(encrypted && { encryption: { key } }) });
    const stored = async () => [...pairs].filter(([key, value]) => holds(Buffer.from(key)) || holds(value)).map(([key]) => key);
    check(await forgotten(open, stored, whole), encrypted);
  });
}

test("a Durable Object", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "mnemic-object-"));
  const worker = await startWorker(await bundleWorker(project, project.path("worker.js")), "Chat", folder);
  try {
    for (const [whole, encrypted] of CASES) {
      await context.test(named([whole, encrypted]), async () => check(await worker.ask(`${whole}/${encrypted}`, { whole, encrypted }), encrypted));
    }
  } finally {
    await worker.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
