/** A page of Vue. */
import { createApp, createSSRApp, shallowRef } from "vue";
import { note, open } from "./page.js";
import { pageOf } from "./vue-page.js";

const user = shallowRef({ userId: "ana" });
const query = shallowRef("");
// What a server has written is taken over.
const app = (document.getElementById("app").firstChild ? createSSRApp : createApp)(pageOf({ open, note, user, query }));
globalThis.app = {
  mount: () => void app.mount("#app"),
  unmount: () => app.unmount(),
  change(now) {
    if ("user" in now) user.value = now.user;
    if ("query" in now) query.value = now.query;
  },
};
