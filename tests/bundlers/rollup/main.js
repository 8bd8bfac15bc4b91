import { openMemory } from "mnemic/inline";
import { show } from "../conversation.js";

show(openMemory, () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
