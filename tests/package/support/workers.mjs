/** Pages whose memories run in workers. */
import { openPage } from "./browser.mjs";
import { PAGE, ready } from "./page.mjs";

/** Scripts of an app beside its page. */
export const FILES = {
  ...PAGE,
  "memory-worker.js": `
    import { serveMemories } from "./node_modules/mnemic/worker/index.js";
    serveMemories({ countTokens: (text) => text.length });
  `,
  // Overwrites the linear memory of its instance when it is told to: whatever the engine does next traps.
  "ruined-worker.js": `
    import { serveMemories } from "./node_modules/mnemic/worker/index.js";
    const { instantiate } = WebAssembly;
    const instances = [];
    WebAssembly.instantiate = async (...values) => {
      const instance = await instantiate.apply(WebAssembly, values);
      instances.push(instance);
      return instance;
    };
    new BroadcastChannel("ruin").onmessage = ({ target }) => {
      for (const { exports } of instances) if (exports.memory) new Uint8Array(exports.memory.buffer).fill(0xff);
      instances.length = 0;
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
