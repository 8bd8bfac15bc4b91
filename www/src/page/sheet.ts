/** A part of the page that is a column where there is room and a modal sheet where there is not. */
import { element } from "./shared";
import { icon } from "./icon";

export class Sheet {
  readonly #content: HTMLElement;
  readonly #column: HTMLElement;
  readonly #dialog: HTMLDialogElement;
  readonly #roomy: MediaQueryList;

  /** `roomy` is the media query under which the content is a column. */
  constructor(content: HTMLElement, column: HTMLElement, roomy: string, label: string, side: "start" | "end") {
    this.#content = content;
    this.#column = column;
    const close = element("button", { type: "button", class: "icon-button sheet-close", "aria-label": "Close", onclick: () => this.close() }, icon("close"));
    this.#dialog = element("dialog", { class: `sheet sheet-${side}`, "aria-label": label }, close);
    this.#dialog.addEventListener("click", (event) => {
      if (event.target === this.#dialog) this.close();
    });
    this.#roomy = matchMedia(roomy);
    this.#roomy.addEventListener("change", () => this.#place());
    document.body.append(this.#dialog);
    this.#place();
  }

  /** Brings the content into view; where it is a column it is there already. */
  open(): void {
    if (!this.#roomy.matches && !this.#dialog.open) this.#dialog.showModal();
  }

  close(): void {
    this.#dialog.close();
  }

  #place(): void {
    if (this.#roomy.matches) {
      this.close();
      this.#column.append(this.#content);
    } else {
      this.#dialog.append(this.#content);
    }
  }
}
