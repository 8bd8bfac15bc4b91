/** The entry of browsers, workers and bundlers: the modules are fetched from beside the package. */
import { loadModule } from "../modules.js";
import type { MoveMemory } from "../move.js";
import { mover, opener, type Runtime, type Workers } from "../open.js";
import type { OpenMemory } from "../options.js";
import type { OpenFiles } from "../safekeeping/opening.js";
import { browserStorage } from "../storage.js";
import { startWorker } from "../worker/start.js";

export * from "../index.js";

const workers: Workers = { load: () => import("../worker/remote.js"), start: startWorker };

const openFiles: OpenFiles = async (address) => (await import("../files/opfs.js")).openOpfs(address);

const runtime: Runtime = { loadModule, autoStorage: browserStorage, openFiles, workers };

/**
 * Opens a memory.
 *
 * @throws InvalidInputError when an option is unknown, wrong or missing.
 * @throws InvalidSchemaError when a profile's schema cannot be used.
 * @throws LockedError or WrongKeyError when the memory is encrypted, and the key for it is missing or another.
 * @throws StorageError, CorruptError or UnsupportedVersionError when the stored memory cannot be opened.
 *
 * @example
 * ```ts
 * import { openMemory } from "mnemic";
 *
 * const memory = await openMemory({
 *   name: "my-chat",
 *   storage: "memory", // leave it out in browsers: IndexedDB
 *   profiles: {
 *     "user-profile": { type: "object", properties: { name: { type: "string" }, language: { enum: ["de", "en"] } } },
 *   },
 * });
 * const user = memory.scope({ userId: "alice" });
 * await user.remember({ role: "user", content: "My name is Alice and I cook for two." }, { threadId: "monday" });
 * const { text } = await user.recall("what should I cook?");
 * console.log(text); // goes into the prompt
 * await memory.close();
 * ```
 */
export const openMemory: OpenMemory = opener(runtime);

/**
 * Moves a memory from one storage to another, with its history, and encrypted as it is; `MoveMemory` says how, and what it throws.
 *
 * @example
 * ```ts no-run
 * import { moveMemory, openMemory } from "mnemic";
 *
 * const memory = await openMemory({ name: "my-notes", storage: "indexeddb" });
 * await memory.scope({ userId: "alice" }).facts.add("Alice sails");
 * await memory.close();
 *
 * await moveMemory("my-notes", { from: "indexeddb", to: "opfs", worker: true });
 * const moved = await openMemory({ name: "my-notes", storage: "opfs", worker: true });
 * await moved.close();
 * ```
 */
export const moveMemory: MoveMemory = mover(runtime);
