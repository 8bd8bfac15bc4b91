/** The element's name in pages. */
import { defineOnce } from "../panel/page/custom-element.js";
import { MnemicDevtools } from "./devtools.js";

declare global {
  interface HTMLElementTagNameMap {
    "mnemic-devtools": MnemicDevtools;
  }
}

/**
 * Makes `<mnemic-devtools>` known to the page. Calling it again does nothing, and neither does calling it where there is no page, as on
 * a server.
 *
 * @example
 * ```ts no-run
 * import { openMemory } from "mnemic";
 * import { define } from "mnemic/devtools";
 *
 * define();
 * const memory = await openMemory({ name: "my-chat", keepPrompts: true });
 * const devtools = document.createElement("mnemic-devtools");
 * devtools.memory = memory;
 * document.body.append(devtools);
 * ```
 */
export function define(): void {
  defineOnce("mnemic-devtools", MnemicDevtools);
}
