import { DurableObject } from "cloudflare:workers";
import { openMemory } from "mnemic";
import { durableObjectStorage } from "mnemic/cloudflare";
import { converse } from "../conversation.js";

export class Chat extends DurableObject {
  converse() {
    return converse(openMemory, { storage: durableObjectStorage(this.ctx.storage) });
  }
}

export default {
  async fetch(request, { CHAT }) {
    return Response.json(await CHAT.get(CHAT.idFromName("alice")).converse());
  },
};
