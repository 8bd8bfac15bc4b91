/** A Cloudflare Worker: bundled as its tools do it, and run in workerd by Miniflare. */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { build } from "vite";

/**
 * Bundles a script of a project for workerd. The module of the package stays a file of its own, since Workers compile no bytes.
 *
 * @returns the modules for Miniflare
 */
export async function bundleWorker(project, script) {
  const compiled = new Map();
  const compiledWasm = {
    name: "compiled-wasm",
    enforce: "pre",
    async resolveId(source, importer) {
      if (!source.endsWith(".wasm")) return null;
      const { id } = await this.resolve(source, importer, { skipSelf: true });
      const name = `module-${compiled.size}.wasm`;
      compiled.set(name, id.replace(/\?.*/, ""));
      return { id: `./${name}`, external: true };
    },
  };
  const { output } = await build({
    root: project.folder,
    configFile: false,
    logLevel: "error",
    plugins: [compiledWasm],
    ssr: { target: "webworker", noExternal: true, resolve: { conditions: ["workerd", "worker"] } },
    build: { ssr: script, write: false, rollupOptions: { external: [/^cloudflare:/] } },
  });
  return [
    { type: "ESModule", path: "worker.js", contents: output[0].code },
    ...(await Promise.all(
      Array.from(compiled, async ([path, file]) => ({ type: "CompiledWasm", path, contents: await readFile(file) })),
    )),
  ];
}

/**
 * Makes a project of `folder` that has the package built in `packageFolder` installed and `source` as its script, and bundles it.
 *
 * @returns the modules for Miniflare
 */
export async function bundleProject(folder, packageFolder, source) {
  await mkdir(join(folder, "node_modules"));
  await cp(packageFolder, join(folder, "node_modules/mnemic"), { recursive: true });
  // Bundlers look for the package a script belongs to in the folders above it too: with one of its own, what lies there changes nothing.
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(folder, "worker.js"), source);
  return bundleWorker({ folder }, "worker.js");
}

/**
 * Starts workerd with a Durable Object that has SQLite, kept in `folder`.
 *
 * @param {object} options more for Miniflare, such as `serviceBindings`
 */
export async function startWorker(modules, className, folder, options = {}) {
  const miniflare = new Miniflare({
    modules,
    compatibilityDate: "2026-04-01",
    durableObjects: { OBJECT: { className, useSQLite: true } },
    durableObjectsPersist: folder,
    ...options,
  });
  const url = await miniflare.ready;
  return {
    /** Where it is reached by HTTP. */
    url,
    /** Posts JSON and answers the JSON of the answer. */
    async ask(path, body = {}) {
      const response = await miniflare.dispatchFetch(`http://worker/${path}`, { method: "POST", body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      return response.json();
    },
    /** As the global one, but every request goes to the Worker. */
    fetch: (url, init) => miniflare.dispatchFetch(url, init),
    stop: () => miniflare.dispose(),
  };
}
