/** React, Vue and Svelte on a server: nothing is opened, and what is written says that it is pending. */
import assert from "node:assert/strict";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { compile } from "svelte/compiler";
import { createProject } from "./support/project.mjs";

let project;

before(async () => {
  project = await createProject({}, ["react", "react-dom", "vue", "@vue/server-renderer", "svelte"]);
  await cp(join(import.meta.dirname, "frameworks"), project.path("pages"), { recursive: true });
});

after(() => project?.remove());

/** A memory that nobody may open here. */
const OPEN = 'const open = () => { throw new Error("opened on a server"); };';

const elements = (html) => Object.fromEntries(Array.from(html.matchAll(/<p id="(\w+)">([^<]*)<\/p>/g), ([, id, text]) => [id, text]));

test("React", async () => {
  const { html, again } = await project.import(`
    import { createElement as h, StrictMode } from "react";
    import { renderToString } from "react-dom/server";
    import { renderToPipeableStream } from "react-dom/server";
    import { Writable } from "node:stream";
    import { Page } from "./pages/react-page.js";
    ${OPEN}
    const page = () => h(StrictMode, null, h(Page, { open, user: { userId: "ana" }, query: "Who sails?" }));
    export const html = renderToString(page());
    // A stream ends: nothing waits for a memory.
    export const again = await new Promise((resolve, reject) => {
      let text = "";
      const into = new Writable({ write: (chunk, _, done) => ((text += chunk), done()), final: (done) => (resolve(text), done()) });
      const { pipe } = renderToPipeableStream(page(), { onAllReady: () => pipe(into), onError: reject });
    });
  `);
  const ids = ["memory", "facts", "same", "thread", "undo", "profile", "recall", "entities"];
  assert.deepEqual(elements(html), Object.fromEntries(ids.map((id) => [id, "pending"])));
  assert.deepEqual(elements(again), elements(html));
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

test("Vue", async () => {
  const { html } = await project.import(`
    import { createSSRApp, defineComponent, h } from "vue";
    import { renderToString } from "@vue/server-renderer";
    import { provideMemory, useFacts, useMemory } from "mnemic/vue";
    ${OPEN}
    const page = defineComponent({
      setup() {
        provideMemory(open, () => ({ userId: "ana" }));
        const [facts, used] = [useFacts(), useMemory()];
        return () => [h("p", { id: "facts" }, facts.pending.value ? "pending" : "there"), h("p", { id: "memory" }, used.pending.value ? "pending" : "there")];
      },
    });
    export const html = await renderToString(createSSRApp(page));
  `);
  assert.deepEqual(elements(html), { facts: "pending", memory: "pending" });
});

test("Svelte", async () => {
  for (const name of ["Facts", "Page"]) {
    const source = await readFile(project.path("pages", `${name}.svelte`), "utf8");
    const { code } = compile(source, { generate: "server", filename: `${name}.svelte` }).js;
    await project.write(`pages/${name}.js`, code.replaceAll("./Facts.svelte", "./Facts.js"));
  }
  const { html } = await project.import(`
    import { render } from "svelte/server";
    import { writable } from "svelte/store";
    import Page from "./pages/Page.js";
    ${OPEN}
    const rendered = render(Page, { props: { open, note() {}, user: writable({ userId: "ana" }), query: writable("Who sails?") } });
    export const html = (await rendered).body;
  `);
  const texts = elements(html.replaceAll(/<!--.*?-->/g, ""));
  assert.deepEqual([...new Set(Object.values(texts))], ["pending"]);
  assert.deepEqual(Object.keys(texts).sort(), ["entities", "facts", "memory", "profile", "recall", "same", "thread", "undo"]);
});
