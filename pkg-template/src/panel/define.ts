/** The element's name in pages. */
import { defineOnce } from "./page/custom-element.js";
import { MnemicPanel } from "./panel.js";

declare global {
  interface HTMLElementTagNameMap {
    "mnemic-panel": MnemicPanel;
  }
}

/**
 * Makes `<mnemic-panel>` known to the page. Calling it again does nothing, and neither does calling it where there is no page, as on a
 * server.
 *
 * @example
 * ```ts no-run
 * import { openMemory } from "mnemic";
 * import { define } from "mnemic/panel";
 *
 * define();
 * const memory = await openMemory({ name: "my-chat" });
 * const panel = document.createElement("mnemic-panel");
 * panel.user = memory.scope({ userId: "alice" });
 * document.body.append(panel);
 * ```
 */
export function define(): void {
  defineOnce("mnemic-panel", MnemicPanel);
}
