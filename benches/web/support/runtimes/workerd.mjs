/** Cloudflare's workerd, kept in a Durable Object: it is started anew for every step. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createProject } from "../../../../tests/package/support/project.mjs";
import { bundleWorker, startWorker } from "../../../../scripts/workerd.mjs";

/** What the worker is made of, by the paths it names them with. */
const SOURCES = ["runtimes/worker.mjs", "runtimes/work.mjs", "runtimes/messages.mjs", "corpus.mjs", "timing.mjs"];

export async function workerd() {
  const { version } = JSON.parse(await readFile(new URL("../../../../node_modules/workerd/package.json", import.meta.url), "utf8"));
  const sources = SOURCES.map(async (path) => [path, await readFile(join(import.meta.dirname, "..", path), "utf8")]);
  const project = await createProject(Object.fromEntries(await Promise.all(sources)));
  const modules = await bundleWorker(project, "runtimes/worker.mjs");
  return {
    name: `workerd ${version}, Durable Object`,
    async run(step) {
      const worker = await startWorker(modules, "Bench", project.path("kept"));
      try {
        return await worker.ask("", step);
      } finally {
        await worker.stop();
      }
    },
    close: () => project.remove(),
  };
}
