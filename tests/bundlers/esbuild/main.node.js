import { openMemory } from "mnemic/inline";
import { converse } from "../conversation.js";

console.log(JSON.stringify(await converse(openMemory, { storage: "memory" })));
