import { openMemory } from "mnemic";
import { show } from "../conversation.js";

show(openMemory, true, "shared");
