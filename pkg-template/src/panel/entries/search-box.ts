/** A box to search in as one types, with what came of it in words. Its label is seen, unless a placeholder says the same. */
import { element, reason } from "../page/element.js";
import type { Tools } from "../tools.js";

const WAIT_MS = 150;

export class SearchBox {
  readonly element: HTMLElement;
  readonly status: HTMLElement;
  readonly #field: HTMLInputElement;
  readonly #tools: Tools;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running = new AbortController();

  /** `search` is called when there may be something else to find. */
  constructor(tools: Tools, label: string, testId: string, search: () => Promise<unknown>, placeholder = label) {
    this.#tools = tools;
    const id = `box-${testId}`;
    const run = (): void => {
      clearTimeout(this.#timer);
      tools.reading(search());
    };
    this.#field = element("input", {
      type: "search", class: "field", id, dir: "auto", autocomplete: "off", maxlength: 1000, placeholder, "data-testid": testId,
      oninput: () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(run, WAIT_MS);
      },
    });
    this.status = element("p", { class: "hint", role: "status", "data-testid": `${testId}-status` });
    this.element = element("form", { role: "search", onsubmit: (event: SubmitEvent) => { event.preventDefault(); run(); } },
      element("label", { class: placeholder === label ? "for-screen-readers" : "label", for: id }, label), this.#field);
  }

  get text(): string { return this.#field.value.trim(); }

  /**
   * Searches for what stands in the box, and tells what came of it: nothing is found by a search that fails. Without words it answers
   * what there is without them, and says `idle`. Undefined when a later search took its place.
   */
  async find<Found>(search: (query: string, signal: AbortSignal) => Promise<readonly Found[]>, all: readonly Found[], idle: string): Promise<readonly Found[] | undefined> {
    const { words } = this.#tools;
    const query = this.text;
    this.#running.abort();
    const { signal } = (this.#running = new AbortController());
    if (query === "") return this.#told(all, idle);
    try {
      const found = await search(query, signal);
      return signal.aborted ? undefined : this.#told(found, found.length === 0 ? words.of("nothingFound") : words.of("results", { n: found.length }));
    } catch (error) {
      return signal.aborted ? undefined : this.#told([], `${words.of("searchFailed")} ${reason(error)}`);
    }
  }

  #told<Found>(found: Found, status: string): Found {
    this.status.textContent = status;
    return found;
  }
}
