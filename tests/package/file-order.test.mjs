/** In which order a file of Node is brought to the disk: a name before what relies on it. */
import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname } from "node:path";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

let project, fileStorage;

before(async () => {
  project = await createProject();
  ({ fileStorage } = await project.import('export { fileStorage } from "mnemic/node";'));
});

after(() => project?.remove());

const ENDED = 3;

/** Has everything that is done to files be noted, as verb and name. */
function watch(context, steps) {
  const names = new Map();
  const original = { ...fs };
  const noted = {
    openSync(path, ...values) {
      const file = original.openSync(path, ...values);
      names.set(file, path);
      if (values[0] === "wx") steps.push(["create", basename(path)]);
      return file;
    },
    linkSync: (from, to) => (original.linkSync(from, to), steps.push(["link", basename(to)])),
    renameSync: (from, to) => (original.renameSync(from, to), steps.push(["rename", basename(from)])),
    closeSync: (file) => (original.closeSync(file), steps.push(["close", basename(names.get(file))])),
    fsyncSync: (file) => (original.fsyncSync(file), steps.push(["sync", basename(names.get(file))])),
    fdatasync: (file, done) => (steps.push(["sync", basename(names.get(file))]), original.fdatasync(file, done)),
    writeSync: (file, bytes, ...values) => {
      steps.push([bytes.length > 60 && bytes[8] === ENDED ? "end" : "write", basename(names.get(file))]);
      return original.writeSync(file, bytes, ...values);
    },
  };
  const before = Object.fromEntries(Object.keys(noted).map((name) => [name, original[name]]));
  Object.assign(fs, noted);
  syncBuiltinESMExports();
  context.after(() => {
    Object.assign(fs, before);
    syncBuiltinESMExports();
  });
}

test("the name of a file is on the disk before a journal ends in favour of it, and nobody has that open when it is replaced", async (context) => {
  const path = project.path("chat.mnemic");
  const folder = basename(dirname(path));
  const steps = [];
  watch(context, steps);
  const storage = fileStorage(path);
  const head = (counter) => new Uint8Array(new BigUint64Array([BigInt(counter), 0n]).buffer);
  const filler = Array.from({ length: 5 }, (_, index) => [`segment/${index}`, new Uint8Array(500_000)]);
  await storage.write({ puts: [...filler, ["head", head(1)]], deletes: [] }, 0);
  await storage.write({ puts: [["head", head(2)]], deletes: filler.map(([key]) => key) }, 1);
  for (let turn = 0; !steps.some(([verb]) => verb === "rename"); turn += 1) {
    assert.ok(turn < 5000, JSON.stringify(steps));
    await new Promise((resolve) => setTimeout(resolve));
  }
  const found = await storage.read("", "~");
  assert.deepEqual(found.map(([key]) => key), ["head"]);
  const at = (verb, name, from = 0) => steps.findIndex((step, index) => index >= from && step[0] === verb && step[1] === name);
  assert.ok(at("sync", folder) < at("write", "chat.mnemic"), "the first name");
  const [, target] = steps.find(([verb, name], index) => verb === "create" && index > at("write", "chat.mnemic") && name);
  const [created, ended, renamed] = [at("create", target), at("end", "chat.mnemic"), at("rename", target)];
  assert.ok(created < at("sync", folder, created) && at("sync", folder, created) < ended, JSON.stringify(steps.slice(created)));
  assert.ok(at("sync", target, created) < ended, "its bytes");
  assert.ok(at("sync", "chat.mnemic", ended) < renamed, "that the old one ended");
  assert.ok(at("close", "chat.mnemic", ended) < renamed, "Windows replaces no open file");
  assert.ok(at("sync", folder, renamed) > renamed);
  storage.close();
});
