/** Opens the memory and then the page; a memory that cannot be opened is told in words. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/layout.css";
import "./styles/chat.css";
import "./styles/panel.css";
import { App } from "./app";
import { element } from "./page/element";
import { Session } from "./session";

async function start(): Promise<void> {
  try {
    await new App(await Session.open()).start();
  } catch (error) {
    document.body.append(element("main", { class: "no-memory", role: "alert" },
      element("h1", {}, "The memory could not be opened"),
      element("p", {}, error instanceof Error ? error.message : String(error)),
      element("button", { type: "button", class: "button button-main", onclick: () => location.reload() }, "Try again")));
  }
}

void start();
