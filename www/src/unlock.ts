/** What is shown when the memory is locked: the way in, and for who lost the key the way out. */
import { deleteMemory, type EncryptionKey, LockedError, WrongKeyError } from "mnemic";
import { dropFromDevice } from "./page/device";
import { element, fill, reason } from "./page/shared";
import { icon } from "./page/icon";
import { LOCKED, MEMORY_NAME } from "./session";

/** `open` opens the memory with a key, and rejects with the reason when it is not the right one. */
export function unlockScreen(locked: LockedError | WrongKeyError, open: (key: EncryptionKey) => Promise<void>): HTMLElement {
  const isPasskey = locked.details["by"] === "passkey";
  const problem = element("p", { class: "problem", role: "alert", id: "unlock-problem", "data-testid": "unlock-problem" });
  const passphrase = element("input", {
    type: "password", class: "field", id: "unlock-passphrase", autocomplete: "current-password", "aria-describedby": problem.id, "data-testid": "unlock-passphrase",
  });
  const button = element("button", { type: "submit", class: "button button-main", "data-testid": "unlock" }, isPasskey ? "Unlock with your passkey" : "Unlock");
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!isPasskey && passphrase.value === "") return passphrase.focus();
    button.disabled = true;
    problem.textContent = "";
    passphrase.removeAttribute("aria-invalid");
    try {
      await open(isPasskey ? { passkey: true } : { passphrase: passphrase.value });
    } catch (error) {
      button.disabled = false;
      problem.textContent = isPasskey ? passkeyProblem(error) : error instanceof WrongKeyError ? "That is not the passphrase. Try again." : reason(error);
      passphrase.setAttribute("aria-invalid", "true");
      if (isPasskey) button.focus();
      else passphrase.select();
    }
  };
  const form = element("form", { class: "unlock", onsubmit: (event: SubmitEvent) => void submit(event) },
    // What the panel names it, when the lock is set, so that password managers know it again.
    ...(isPasskey ? [] : [element("input", { type: "text", hidden: true, autocomplete: "username", value: "memory" }), element("label", { class: "label", for: passphrase.id }, "Passphrase"), passphrase]),
    problem, element("div", { class: "buttons" }, button));
  return element("main", { class: "no-memory", "data-testid": "locked" },
    element("h1", {}, icon("lock"), "Your memory is locked"),
    element("p", {}, isPasskey ? "It opens with the passkey that you locked it with." : "Enter the passphrase that you locked it with."),
    form, lostKey());
}

function passkeyProblem(error: unknown): string {
  if (error instanceof WrongKeyError) return "That is not the passkey it was locked with. Try again.";
  return error instanceof LockedError ? "The passkey was not given. Try again." : reason(error);
}

/** Without the key there is only a new beginning. */
function lostKey(): HTMLElement {
  const place = element("div", { class: "buttons" });
  const ask = element("button", { type: "button", class: "button", "data-testid": "lost-key", onclick: () => {
    fill(place, really, keep);
    really.focus();
  } }, "Delete the memory and begin anew");
  const really = element("button", { type: "button", class: "button button-danger", "data-testid": "lost-key-confirm", onclick: async () => {
    await deleteMemory(MEMORY_NAME);
    dropFromDevice(LOCKED);
    location.reload();
  } }, "Really delete all of it");
  const keep = element("button", { type: "button", class: "button", onclick: () => {
    fill(place, ask);
    ask.focus();
  } }, "Keep it");
  fill(place, ask);
  return element("details", {}, element("summary", {}, "I no longer have it"),
    element("p", { class: "hint" }, "Nobody can open the memory without it, and nobody can recover it. If you have a backup, delete the memory, and restore the backup under More."), place);
}
