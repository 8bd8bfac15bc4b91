/** Pages of frameworks with the installed package, as a bundler makes them. */
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "svelte/compiler";
import { build } from "vite";
import { POLICY } from "./page.mjs";
import { createProject } from "./project.mjs";
import { serve } from "./server.mjs";

const PACKAGES = ["react", "react-dom", "vue", "svelte"];

/** The plugin of a bundler for Svelte's own files. */
const svelte = (generate) => ({
  name: "svelte",
  transform: (code, id) => (id.endsWith(".svelte") ? { code: compile(code, { filename: id, generate, dev: true }).js.code, map: null } : undefined),
});

/** @returns a project with a page for each framework, and its server; `close` ends both. */
export async function serveFrameworks() {
  const project = await createProject({}, PACKAGES);
  await cp(join(import.meta.dirname, "../frameworks"), project.path("pages"), { recursive: true });
  const made = { root: project.folder, logLevel: "error", configFile: false, mode: "development" };
  const names = ["react", "vue", "svelte"];
  for (const name of names) {
    await project.write(`${name}.html`, `<!doctype html><title>${name}</title><div id="app"></div><script type="module" src="./pages/${name}.js"></script>`);
  }
  const input = Object.fromEntries(names.map((name) => [name, project.path(`${name}.html`)]));
  const define = { "process.env.NODE_ENV": '"development"', __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "true" };
  await build({ ...made, define, plugins: [svelte("client")], build: { outDir: "dist", minify: false, target: "esnext", rollupOptions: { input } } });
  // The page of React as its server writes it.
  const { html } = await project.import(`
    import { createElement as h, StrictMode } from "react";
    import { renderToString } from "react-dom/server";
    import { Page } from "./pages/react-page.js";
    export const html = renderToString(h(StrictMode, null, h(Page, { open() {}, user: { userId: "ana" }, query: "" })));
  `);
  const page = await readFile(project.path("dist/react.html"), "utf8");
  await project.write("dist/hydrated.html", page.replace('<div id="app">', `$&${html}`));
  const server = await serve(project.path("dist"), { headers: { "content-security-policy": POLICY } });
  const close = async () => {
    await server.close();
    await project.remove();
  };
  return { project, server, close };
}
