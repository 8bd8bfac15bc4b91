/** Pages whose memories run in workers. */
import { openPage } from "./browser.mjs";
import { watchInstances } from "./instances.mjs";
import { PAGE, ready } from "./page.mjs";

/** Scripts of an app beside its page. */
export const FILES = {
  ...PAGE,
  "memory-worker.js": `
    import { serveMemories } from "./node_modules/mnemic/worker/index.js";
    serveMemories({ countTokens: (text) => text.length });
  `,
  // Ruins its instance when it is told to.
  "ruined-worker.js": `
    import { serveMemories } from "./node_modules/mnemic/worker/index.js";
    (${watchInstances})();
    new BroadcastChannel("ruin").onmessage = () => {
      ruin();
      new BroadcastChannel("ruined").postMessage("done");
    };
    serveMemories();
  `,
};

/** Keeps hold of the workers that a page starts, so that a test can end them. */
const keepWorkers = () => {
  globalThis.workers = [];
  const { Worker } = globalThis;
  globalThis.Worker = class extends Worker {
    constructor(...values) {
      super(...values);
      workers.push(this);
    }
  };
};

/** A page with the package, whose workers are in `workers`. */
export async function workerPage(context, url) {
  await context.addInitScript(keepWorkers);
  const opened = await openPage(context, url);
  await ready(opened.page);
  return opened;
}
