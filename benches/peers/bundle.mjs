/** Vite's builds: of the page that subjects run on, and of one package, to weigh it. */
import { join } from "node:path";

const root = import.meta.dirname;

/** Where the page is built to. */
export const bundled = join(root, "dist");

/** What is built of `input`, a file. Only with a `folder` is it written. */
async function build(input, folder, options = {}) {
  const { build: start } = await import("vite");
  return start({
    configFile: false,
    root,
    base: "./",
    logLevel: "error",
    // EntityDB's vectors are given, so its model is not loaded.
    resolve: { alias: { "@xenova/transformers": join(root, "no-transformers.mjs") } },
    build: {
      write: folder !== undefined,
      outDir: folder,
      emptyOutDir: true,
      target: "es2022",
      minify: true,
      assetsInlineLimit: 0,
      modulePreload: false,
      rollupOptions: { input, ...options },
    },
  });
}

/** Builds the page. */
export async function bundlePage() {
  await build(join(root, "page.html"), bundled);
}

/** The scripts that a package's entry becomes. */
export async function bundleScripts(entry) {
  const { output } = await build(entry, undefined, { preserveEntrySignatures: "strict" });
  return output.filter(({ type }) => type === "chunk").map(({ code }) => code);
}
