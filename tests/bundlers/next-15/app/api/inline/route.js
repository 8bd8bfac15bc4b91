import { openMemory } from "mnemic/inline";
import { converse } from "../../../../conversation.js";

export const dynamic = "force-dynamic";

export async function GET() {
  return Response.json(await converse(openMemory, { storage: "memory" }).catch((error) => String(error.stack)));
}
