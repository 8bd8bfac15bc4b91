import { resolve } from "node:path";

/** With `STANDALONE`, a folder is made that runs elsewhere; `root` is where the lock file of these apps is. */
const root = resolve(import.meta.dirname, "..");

export default process.env.STANDALONE ? { output: "standalone", outputFileTracingRoot: root, turbopack: { root } } : {};
