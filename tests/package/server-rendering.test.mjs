/** React, Vue and Svelte on a server: nothing is opened, and what is written says that it is pending. */
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { writtenOnServer } from "./support/frameworks.mjs";
import { createProject } from "./support/project.mjs";

let project;

before(async () => {
  project = await createProject({}, ["react", "react-dom", "vue", "@vue/server-renderer", "svelte"]);
  await cp(join(import.meta.dirname, "frameworks"), project.path("pages"), { recursive: true });
});

after(() => project?.remove());

const ids = ["memory", "facts", "same", "thread", "undo", "profile", "recall", "entities"];
const elements = (html) => Object.fromEntries(Array.from(html.matchAll(/<p id="(\w+)">([^<]*)<\/p>/g), ([, id, text]) => [id, text]));

for (const name of ["react", "vue", "svelte"]) {
  test(name, async () => {
    const { [name]: html } = await writtenOnServer(project);
    const texts = elements(html.replaceAll(/<!--.*?-->/g, ""));
    assert.deepEqual(texts, Object.fromEntries(ids.map((id) => [id, "pending"])));
  });
}

test("a stream of React ends", async () => {
  const { html } = await project.import(`
    import { createElement as h, StrictMode } from "react";
    import { renderToPipeableStream } from "react-dom/server";
    import { Writable } from "node:stream";
    import { Page } from "./pages/react-page.js";
    const open = () => { throw new Error("opened on a server"); };
    const page = h(StrictMode, null, h(Page, { open, user: { userId: "ana" }, query: "Who sails?" }));
    // Nothing waits for a memory.
    export const html = await new Promise((resolve, reject) => {
      let text = "";
      const into = new Writable({ write: (chunk, _, done) => ((text += chunk), done()), final: (done) => (resolve(text), done()) });
      const { pipe } = renderToPipeableStream(page, { onAllReady: () => pipe(into), onError: reject });
    });
  `);
  assert.deepEqual(elements(html), Object.fromEntries(ids.map((id) => [id, "pending"])));
});

test("a hook without a provider says what is missing", async () => {
  const { message, code } = await project.import(`
    import { createElement as h } from "react";
    import { renderToString } from "react-dom/server";
    import { useFacts } from "mnemic/react";
    const Alone = () => (useFacts(), null);
    let error;
    try { renderToString(h(Alone)); } catch (thrown) { error = thrown; }
    export const { message, code } = error;
  `);
  assert.equal(code, "InvalidInput");
  assert.match(message, /useFacts: there is no <MemoryProvider>/);
});
