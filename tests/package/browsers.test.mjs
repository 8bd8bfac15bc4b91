/** The package and the contract of its storages in Chromium, Firefox and WebKit, from pages as a user would write them. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { browsers } from "../../scripts/browsers.mjs";
import { createProject } from "./support/project.mjs";

const read = (path) => readFile(new URL(path, import.meta.url), "utf8");

let project;

before(async () => {
  project = await createProject({
    "index.html": await read("support/steps.html"),
    "steps.mjs": await read("support/steps.mjs"),
    "contract.mjs": await read("support/contract.mjs"),
    "browser-steps.mjs": await read("../../scripts/browsers/steps.mjs"),
  });
});

after(() => project?.remove());

for (const [name, open] of Object.entries(browsers)) {
  // WebKitGTK 2.50 gives workers no handles that read at once.
  const hasFiles = name !== "webkit";
  describe(name, () => {
    let page;

    before(async () => {
      page = await open(project.folder, "index.html");
    });

    after(() => page?.close());

    const ask = async (name, values) => {
      const answer = await page.run({ name, ...values });
      assert.equal(answer.error, undefined);
      return answer;
    };

    for (const storage of ["indexeddb", "localstorage", ...(hasFiles ? ["opfs"] : [])]) {
      test(`${storage} keeps the contract of storages`, async () => assert.deepEqual(await ask("contract", { storage }), {}));
    }

    test("it remembers, and a page that comes after it recalls", async () => {
      assert.deepEqual(await ask("remember"), { kind: "indexeddb" });
      assert.deepEqual(await ask("recall"), {
        recalled: true,
        messages: ["I live in Lisbon. I keep bees."],
        city: "Lisbon",
        facts: 301,
        ok: true,
      });
    });

    test("a passphrase opens what it has closed, and another does not", async () => {
      assert.deepEqual(await ask("encrypted"), { code: "WrongKey", facts: ["Alice sails"] });
    });

    test("a backup goes from one memory to another", async () => assert.deepEqual(await ask("carried"), { facts: 301 }));

    if (hasFiles) {
      test("a memory in private files stays there, and moves to IndexedDB and back", async () => {
        const answers = [["opfs", 1, true], ["opfs", 2, true], ["indexeddb", 3, true], ["opfs", 4, true]];
        assert.deepEqual(await ask("files"), { answers });
      });
    } else {
      test("private files are refused, and a memory begins in IndexedDB instead", async () => {
        assert.deepEqual(await ask("noFiles"), { kind: "indexeddb", code: "Storage" });
      });
    }

    test("a worker that ended while it loaded keeps no other from loading", async () => {
      assert.deepEqual(await ask("reopened"), { facts: 10 });
    });

    test("the engine runs in a worker", async () => assert.deepEqual(await ask("worker"), { facts: 301 }));
  });
}
