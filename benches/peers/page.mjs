/** A page for one subject, bundled by Vite as an app is: `peers.start` names it, and `peers.run` runs its steps. */
import { session } from "./session.mjs";
import { settled } from "../web/support/settled.mjs";

/** Those that run on a page. */
const SUBJECTS = {
  mnemic: () => import("./subjects/mnemic.mjs"),
  scan: () => import("./subjects/scan.mjs"),
  edgevec: () => import("./subjects/edgevec.mjs"),
  hnswlib: () => import("./subjects/hnswlib.mjs"),
  mememo: () => import("./subjects/mememo.mjs"),
  orama: () => import("./subjects/orama.mjs"),
  "sqlite-vec": () => import("./subjects/sqlite-vec.mjs"),
  voy: () => import("./subjects/voy.mjs"),
  "entity-db": () => import("./subjects/entity-db.mjs"),
};

const STORE = "kept";

/** A database of the application's, for subjects that leave storing to it. */
async function database() {
  const opening = indexedDB.open("application");
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return settled(opening);
}

const keyed = (name) => ({
  isPage: true,
  bytes: async (path) => (await fetch(`/benches/peers/node_modules/${path}`)).arrayBuffer(),
  async keep(value) {
    const kept = await database();
    const transaction = kept.transaction(STORE, "readwrite");
    transaction.objectStore(STORE).put(value, name);
    await settled(transaction);
    kept.close();
  },
  async kept() {
    const kept = await database();
    const value = await settled(kept.transaction(STORE).objectStore(STORE).get(name));
    kept.close();
    return value;
  },
});

let steps;

globalThis.peers = {
  async start(name, axis, count) {
    const { default: subject } = await SUBJECTS[name]();
    steps = session(subject, axis, count, keyed(name));
  },
  run: (step, given) => steps[step](given),
};
