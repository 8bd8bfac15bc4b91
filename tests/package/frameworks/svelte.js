/** A page of Svelte. */
import { hydrate, mount, unmount } from "svelte";
import { writable } from "svelte/store";
import { note, open } from "./page.js";
import Page from "./Page.svelte";

const user = writable({ userId: "ana" });
const query = writable("");
let page;
globalThis.app = {
  mount() {
    const target = document.getElementById("app");
    // What a server has written is taken over.
    page = (target.firstChild ? hydrate : mount)(Page, { target, props: { open, note, user, query } });
  },
  unmount: () => unmount(page),
  change(now) {
    if ("user" in now) user.set(now.user && { ...now.user });
    if ("query" in now) query.set(now.query);
  },
};
