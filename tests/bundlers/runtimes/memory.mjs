import { openMemory } from "mnemic";
import { converse } from "../conversation.js";

console.log(JSON.stringify(await converse(openMemory, { storage: "memory" })));
