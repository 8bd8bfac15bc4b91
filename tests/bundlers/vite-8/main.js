import { openMemory } from "mnemic";
import { show } from "../conversation.js";

show(openMemory, { worker: true }, { worker: "shared" });
