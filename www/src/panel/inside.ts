/** Inside the memory: the package's page for those who develop with it, loaded when it is looked at. */
import type { Session } from "../session";
import { element } from "../page/shared";

export class InsidePanel {
  readonly element = element("section", { class: "inside" },
    element("p", { class: "hint" }, "This page is made with the package mnemic. ", element("a", { href: "docs/" }, "Its documentation"), " says how to use it."));
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Shows what the memory that is open now consists of. */
  async shown(): Promise<void> {
    const { define } = await import("mnemic/devtools");
    define();
    const devtools = this.element.querySelector("mnemic-devtools") ?? this.element.appendChild(document.createElement("mnemic-devtools"));
    devtools.memory = this.#session.memory;
  }
}
