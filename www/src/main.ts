/** Opens the memory and then the page; a memory that cannot be opened is told in words. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/layout.css";
import "./styles/chat.css";
import "./styles/panel.css";
import "./styles/items.css";
import "./styles/forms.css";
import "./styles/window.css";
import "./styles/privacy.css";
import { LockedError, WrongKeyError } from "mnemic";
import { App } from "./app";
import { openingFailure } from "./opening";
import { type Opening, Session } from "./session";
import { tabStorage } from "./tab-storage";
import { unlockScreen } from "./unlock";

async function start(opening: Opening = {}): Promise<void> {
  try {
    await enter(opening);
  } catch (error) {
    if (error instanceof LockedError || error instanceof WrongKeyError) {
      document.body.replaceChildren(unlockScreen(error, (encryption) => enter({ ...opening, encryption })));
      document.querySelector<HTMLElement>(".unlock .field, .unlock button")?.focus();
      return;
    }
    document.body.replaceChildren(openingFailure(error, () => {
      document.body.replaceChildren();
      void start({ storage: tabStorage() });
    }));
  }
}

/** Opens the memory, and then the page in place of what asked for the key. */
async function enter(opening: Opening): Promise<void> {
  const session = await Session.open(opening);
  document.body.replaceChildren();
  await new App(session).start();
}

void start();
