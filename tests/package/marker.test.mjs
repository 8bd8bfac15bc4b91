/** The marker of a memory, where it is a private file. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "./support/project.mjs";

let project, marker;

before(async () => {
  project = await createProject();
  marker = await project.import('export * from "./node_modules/mnemic/safekeeping/marker.js";');
});

after(() => project?.remove());

/** A worker's private files: folders by name, with the texts of their files. */
function privateFiles() {
  const folders = new Map();
  const missing = () => new DOMException("it is not there", "NotFoundError");
  const fileIn = (files) => async (name, { create = false } = {}) => {
    if (!files.has(name) && !create) throw missing();
    return {
      getFile: async () => new Blob([files.get(name)]),
      createWritable: async () => ({ write: async (text) => void files.set(name, text), close: async () => {} }),
    };
  };
  const getDirectoryHandle = async (name, { create = false } = {}) => {
    if (!folders.has(name) && !create) throw missing();
    const files = folders.get(name) ?? folders.set(name, new Map()).get(name);
    return { getFileHandle: fileIn(files), removeEntry: async (file) => void files.delete(file) };
  };
  return { folders, storage: { getDirectory: async () => ({ getDirectoryHandle }) } };
}

/** Who only looked whether there was a memory left a folder behind. */
test("looking for a marker makes no folder, and a marker that was written is found", async (context) => {
  const { folders, storage } = privateFiles();
  const own = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { storage } });
  context.after(() => (own ? Object.defineProperty(globalThis, "navigator", own) : delete globalThis.navigator));
  assert.equal(await marker.readMarker("chat"), undefined);
  assert.equal(folders.size, 0);
  const written = { counter: 3, lineage: "a", records: 2, firstOpenedAt: 1, seenAt: 2 };
  await marker.writeMarker("chat", written);
  assert.deepEqual([await marker.readMarker("chat"), await marker.readMarker("other")], [written, undefined]);
});
