/** Opens the memory and then the page; a memory that cannot be opened is told in words. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/layout.css";
import "./styles/chat.css";
import "./styles/panel.css";
import "./styles/window.css";
import type { StorageObject } from "mnemic";
import { App } from "./app";
import { openingFailure } from "./opening";
import { Session } from "./session";
import { tabStorage } from "./tab-storage";

async function start(storage?: StorageObject): Promise<void> {
  try {
    await new App(await Session.open(storage)).start();
  } catch (error) {
    document.body.replaceChildren(openingFailure(error, () => {
      document.body.replaceChildren();
      void start(tabStorage());
    }));
  }
}

void start();
