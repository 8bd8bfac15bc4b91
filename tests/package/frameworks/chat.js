/** The chat of the guide, in strict mode. */
import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { openMemory } from "mnemic";
import { App } from "./chat.jsx";

createRoot(document.getElementById("app")).render(createElement(StrictMode, null, createElement(App)));
globalThis.app = true;

/** Resolves when something was learned, which the chat does not show. */
globalThis.learned = async () => {
  const memory = await openMemory({ name: "my-chat" });
  const user = memory.scope({ userId: "me" });
  await new Promise((resolve) => {
    const look = async () => (await user.facts.list()).length > 0 && resolve();
    memory.on("change", look);
    void look();
  });
  await memory.close();
};
