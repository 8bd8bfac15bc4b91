/** Pages of frameworks with the installed package, as a bundler makes them. */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "svelte/compiler";
import { build } from "vite";
import { POLICY } from "./page.mjs";
import { createProject } from "./project.mjs";
import { serve } from "./server.mjs";
import { root } from "./tarball.mjs";

const PACKAGES = ["react", "react-dom", "vue", "@vue/server-renderer", "svelte"];

/** The plugin of a bundler for Svelte's own files. */
const svelte = (generate) => ({
  name: "svelte",
  transform: (code, id) => (id.endsWith(".svelte") ? { code: compile(code, { filename: id, generate, dev: true }).js.code, map: null } : undefined),
});

/** What each framework writes on a server, where nobody may open a memory: HTML by its name. */
export async function writtenOnServer(project) {
  for (const name of ["Facts", "Page"]) {
    const source = await readFile(project.path("pages", `${name}.svelte`), "utf8");
    const { code } = compile(source, { generate: "server", filename: `${name}.svelte`, dev: false }).js;
    await project.write(`pages/${name}.server.js`, code.replaceAll("./Facts.svelte", "./Facts.server.js"));
  }
  return project.import(`
    import { createElement, StrictMode } from "react";
    import { renderToString as ofReact } from "react-dom/server";
    import { renderToString as ofVue } from "@vue/server-renderer";
    import { render as ofSvelte } from "svelte/server";
    import { writable } from "svelte/store";
    import { createSSRApp, shallowRef } from "vue";
    import { Page as ReactPage } from "./pages/react-page.js";
    import SveltePage from "./pages/Page.server.js";
    import { pageOf } from "./pages/vue-page.js";
    const open = () => { throw new Error("opened on a server"); };
    const user = { userId: "ana" };
    export const react = ofReact(createElement(StrictMode, null, createElement(ReactPage, { open, user, query: "" })));
    export const vue = await ofVue(createSSRApp(pageOf({ open, user: shallowRef(user), query: shallowRef("") })));
    export const svelte = (await ofSvelte(SveltePage, { props: { open, note() {}, user: writable(user), query: writable("") } })).body;
  `);
}

/** The first snippet of the guide: a whole chat. */
export async function chatOfTheGuide() {
  const guide = await readFile(join(root, "docs/guides/react.md"), "utf8");
  return guide.match(/```jsx\n([^]*?)```/)[1];
}

/** @returns a project with a page for each framework and one for the guide's chat, and its server; `close` ends both. */
export async function serveFrameworks() {
  const project = await createProject({}, PACKAGES);
  await cp(join(import.meta.dirname, "../frameworks"), project.path("pages"), { recursive: true });
  const made = { root: project.folder, logLevel: "error", configFile: false, mode: "development" };
  await project.write("pages/chat.jsx", await chatOfTheGuide());
  const names = ["react", "vue", "svelte"];
  for (const name of [...names, "chat"]) {
    await project.write(`${name}.html`, `<!doctype html><title>${name}</title><div id="app"></div><script type="module" src="./pages/${name}.js"></script>`);
  }
  const input = Object.fromEntries([...names, "chat"].map((name) => [name, project.path(`${name}.html`)]));
  const define = { "process.env.NODE_ENV": '"development"', __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "true" };
  await build({ ...made, define, plugins: [svelte("client")], build: { outDir: "dist", minify: false, target: "esnext", rollupOptions: { input } } });
  const written = await writtenOnServer(project);
  for (const name of names) {
    const page = await readFile(project.path(`dist/${name}.html`), "utf8");
    await project.write(`dist/hydrated-${name}.html`, page.replace('<div id="app">', () => `<div id="app">${written[name]}`));
  }
  const server = await serve(project.path("dist"), { headers: { "content-security-policy": POLICY } });
  const close = async () => {
    await server.close();
    await project.remove();
  };
  return { project, server, close };
}
