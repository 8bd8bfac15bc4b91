/** The script of the workers that `openMemory` starts. */
import { loadModule } from "../modules.js";
import { serveWith } from "./serve.js";

serveWith(loadModule, {});
