import { loadModule } from "mnemic/inline";
import { serveMemories } from "mnemic/worker";

serveMemories({ loadModule });
