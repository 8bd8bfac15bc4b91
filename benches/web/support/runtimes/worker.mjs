/** Runs one step in a Durable Object. */
import { DurableObject } from "cloudflare:workers";
import * as mnemic from "mnemic";
import { durableObjectStorage } from "mnemic/cloudflare";
import { run } from "./work.mjs";

export class Bench extends DurableObject {
  async fetch(request) {
    const step = await request.json();
    const runtime = {
      import: async () => mnemic,
      storage: () => ({ storage: durableObjectStorage(this.ctx.storage) }),
      tick: () => scheduler.wait(1),
    };
    return Response.json(await run(runtime, step).catch((error) => ({ error: `${error}\n${error.stack}` })));
  }
}

export default {
  // An object for each memory.
  async fetch(request, env) {
    const step = await request.clone().json();
    return env.OBJECT.get(env.OBJECT.idFromName(`${step.count}`)).fetch(request);
  },
};
