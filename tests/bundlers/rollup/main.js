import { openMemory } from "mnemic/inline";
import { show } from "../conversation.js";

const worker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

show(openMemory, { worker }, { worker, storage: "opfs" });
