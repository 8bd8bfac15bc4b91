/** A page of React, in strict mode. */
import { createElement as h, StrictMode, useSyncExternalStore } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { note, open } from "./page.js";
import { Page } from "./react-page.js";

let state = { user: { userId: "ana" }, isShown: true, query: "" };
const listeners = new Set();
const change = (now) => {
  state = { ...state, ...now };
  for (const listener of listeners) listener();
};
const listen = (listener) => (listeners.add(listener), () => listeners.delete(listener));

const Root = () => {
  const now = useSyncExternalStore(listen, () => state, () => state);
  return h(StrictMode, null, now.isShown && h(Page, { ...now, open, note }));
};

const place = document.getElementById("app");
let root;
globalThis.app = {
  mount() {
    // What a server has written is taken over.
    if (place.firstChild) return void (root = hydrateRoot(place, h(Root)));
    root = createRoot(place);
    root.render(h(Root));
  },
  unmount: () => root.unmount(),
  change,
};
