/** Moving a memory from one storage to another, as an app asks for it. */
import { chosenWorker, isObject, type WorkerChoice } from "../configuration.js";
import { StorageError } from "../errors.js";
import { removeOpfs } from "../files/private.js";
import { instances } from "../instance.js";
import { checkClosed, holdHere } from "../lock.js";
import type { MovableStorage, MoveOptions } from "../move.js";
import { checkName } from "../name.js";
import { elsewhere, type Runtime } from "../open.js";
import { isRecord, kind, known, refused, shown } from "../plain.js";
import { isBrowser, WITHOUT_BROWSER } from "../storage.js";
import { carry, type Leaving, type Place, type Way } from "./carrying.js";
import { removeCopies, removeDatabase } from "./deletion.js";
import { placeOf, readMarker, removeMarker, writeMarker, type Marker } from "./marker.js";
import { PLACES } from "./placing.js";

/** Carries `moveMemory` out. */
export async function move(runtime: Runtime, name: string, options: MoveOptions): Promise<void> {
  checkName(name, "name");
  if (!isRecord(options)) throw refused("options", kind(options), 'pass an object such as { from: "indexeddb", to: "opfs", worker: true }');
  known(options, ["from", "to", "worker"]);
  const { from, to } = options;
  check(from, "options.from");
  check(to, "options.to");
  if (from === to) throw refused("options.to", shown(to), "pass another storage than options.from");
  const worker = chosenWorker(options.worker ?? false);
  checkClosed(name, ...[from, to].map((storage) => (typeof storage === "object" ? storage : name)));
  const way = { name, from, to };
  // Two moves of one storage object would each delete what the other has copied.
  const holds = [from, to].filter((storage) => typeof storage === "object").map(holdHere);
  try {
    if (worker === undefined || isOfPage(from) || isOfPage(to)) {
      await carry(way, (storage) => opened(runtime, name, storage, worker), leavingOf(way));
    } else {
      const instance = await elsewhere(worker, runtime.workers);
      await instance().carry(way, leavingOf(way));
    }
  } finally {
    for (const letGo of holds) letGo();
  }
}

function check(storage: unknown, path: string): asserts storage is MovableStorage {
  const isHere = isBrowser();
  if (isObject(storage) || (isHere && PLACES.some((place) => place === storage))) return;
  const names = `pass ${PLACES.map((name) => `"${name}"`).join(", ")}, or an object with read() and write()`;
  throw refused(path, shown(storage), isHere ? names : WITHOUT_BROWSER);
}

/** Whether no worker can open it. */
const isOfPage = (storage: MovableStorage): boolean => typeof storage === "object" || storage === "localstorage";

async function opened(runtime: Runtime, name: string, storage: MovableStorage, worker: WorkerChoice | undefined): Promise<Place> {
  if (typeof storage === "object") return { storage, name: "the storage object", close() {} };
  const address = { name, storage, durability: "strict" } as const;
  const said = `"${storage}"`;
  if (storage === "opfs" && worker === undefined) {
    if (runtime.openFiles === undefined) throw new StorageError('"opfs" is for browsers, and is not here');
    const files = await runtime.openFiles(address);
    return { storage: files, name: said, close: () => files.close?.() };
  }
  const isHere = worker === undefined || isOfPage(storage);
  const instance = isHere ? instances(runtime.loadModule)() : (await elsewhere(worker, runtime.workers))();
  const handle = await (await instance).openStorage(address);
  return { storage: handle, name: said, close: () => handle.close() };
}

/** What is noted outside of the storages goes with the memory. */
function leavingOf({ name, from, to }: Way): Leaving {
  let before: Marker | undefined;
  return {
    async leave() {
      before ??= await readMarker(name);
      // A copy would bring the memory back.
      if (typeof from === "string") await removeCopies(name);
      // From here on it is found there, wherever this is cut off.
      await remark(name, from, to);
    },
    async stay() {
      if (before !== undefined) await writeMarker(name, before);
    },
    async tidy(storage) {
      if (storage === "indexeddb") await removeDatabase(`mnemic:${name}`);
      if (storage === "opfs") await removeOpfs(name);
    },
  };
}

/** Notes where the memory is now. */
async function remark(name: string, from: MovableStorage, to: MovableStorage): Promise<void> {
  const marker = await readMarker(name);
  if (marker === undefined || placeOf(marker) !== from) return;
  const { storage: _, ...rest } = marker;
  if (to === "opfs") await writeMarker(name, { ...rest, storage: "opfs" });
  else if (to === "indexeddb") await writeMarker(name, rest);
  else await removeMarker(name);
}
