/** The settings: which model replies and reads messages, whether it may call tools, and whether to ask before remembering. */
import { type Availability, builtInAvailability, downloadBuiltIn } from "./models/built-in";
import { connectModel } from "./models/model";
import { element, fill, reason } from "./page/shared";
import { icon } from "./page/icon";
import type { Session } from "./session";
import { type Endpoint, endpointProblems, type ModelChoice, NO_MODEL } from "./settings";

const BUILT_IN: Record<Availability, string> = {
  available: "Ready in this browser. Nothing leaves the device.",
  downloadable: "This browser can download a model of its own: several gigabytes, once.",
  downloading: "This browser is downloading its model.",
  unavailable: "This browser has none.",
};

export class SettingsDialog {
  readonly element: HTMLDialogElement;
  readonly #session: Session;
  readonly #none = choice("none", "No model");
  readonly #builtIn = choice("built-in", "The browser's built-in model");
  readonly #endpoint = choice("endpoint", "An OpenAI-compatible endpoint");
  readonly #builtInNote = element("p", { class: "hint", id: "built-in-note" });
  readonly #download = element("button", { type: "button", class: "button", hidden: true, onclick: () => void this.#fetchBuiltIn() }, "Download");
  readonly #url = line("url", "Address", { type: "url", placeholder: "http://localhost:11434/v1", inputmode: "url" });
  readonly #key = line("key", "Key", { type: "password", placeholder: "Leave empty if none is needed" });
  readonly #model = line("model", "Model", { type: "text", placeholder: "The model's name" });
  readonly #review = element("input", { type: "checkbox", "data-testid": "setting-review", "aria-describedby": "review-note" });
  readonly #tools = element("input", { type: "checkbox", "data-testid": "setting-tools", "aria-describedby": "tools-note" });
  readonly #details: HTMLElement;
  readonly #outcome = element("p", { class: "outcome", role: "status", "data-testid": "settings-outcome" });

  constructor(session: Session) {
    this.#session = session;
    this.#builtIn.input.setAttribute("aria-describedby", this.#builtInNote.id);
    const test = element("button", { type: "button", class: "button", "data-testid": "test-endpoint", onclick: () => void this.#test() }, "Test connection");
    this.#details = element("div", { class: "endpoint" },
      this.#url.element, this.#key.element, this.#model.element,
      element("p", { class: "hint" }, "These are stored in this browser's local storage and sent to that address only, together with your messages and what is recalled for each. Anyone who uses this browser profile can read the key."),
      element("div", { class: "buttons" }, test));
    const close = element("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => this.element.close() }, icon("close"));
    const form = element(
      "form",
      { novalidate: true, onsubmit: (event: SubmitEvent) => void this.#save(event), onchange: () => this.#arrange() },
      element("div", { class: "dialog-head" }, element("h2", { id: "settings-title" }, "Settings"), close),
      element("fieldset", {}, element("legend", {}, "Who replies, and learns from messages"),
        this.#none.element, element("p", { class: "hint" }, "Built-in rules pick out plain statements in English, Korean, Japanese and Chinese. Replies come from the memory alone. Nothing leaves this device."),
        this.#endpoint.element, this.#details,
        this.#builtIn.element, this.#builtInNote, this.#download),
      element("fieldset", { class: "more-settings" }, element("legend", {}, "Tools"),
        element("label", { class: "check" }, this.#tools, "Let the model use the memory by itself"),
        element("p", { class: "hint", id: "tools-note" }, "It may search and change what is remembered before it replies. Each call is shown above the reply, and what it changed can be undone.")),
      element("fieldset", { class: "more-settings" }, element("legend", {}, "Remembering"),
        element("label", { class: "check" }, this.#review, "Ask me before remembering"),
        element("p", { class: "hint", id: "review-note" }, "What is learned waits under More, To review, until you accept it.")),
      element("div", { class: "dialog-foot" },
        this.#outcome,
        element("div", { class: "buttons" },
          element("button", { type: "submit", class: "button button-main", "data-testid": "save-settings" }, "Save"),
          element("button", { type: "button", class: "button", onclick: () => this.element.close() }, "Cancel"))),
    );
    this.element = element("dialog", { class: "dialog", "aria-labelledby": "settings-title", "data-testid": "settings-dialog" }, form);
  }

  async open(): Promise<void> {
    const { settings } = this.#session;
    const { model, review, tools } = settings;
    const endpoint = model.kind === "endpoint" ? model : { url: "", key: "", model: "" };
    this.#url.input.value = endpoint.url;
    this.#key.input.value = endpoint.key;
    this.#model.input.value = endpoint.model;
    for (const { input } of [this.#none, this.#builtIn, this.#endpoint]) input.checked = input.value === model.kind;
    this.#review.checked = review;
    this.#tools.checked = tools;
    this.#say("");
    this.#arrange();
    this.element.showModal();
    await this.#showBuiltIn();
  }

  async #showBuiltIn(): Promise<void> {
    const availability = await builtInAvailability();
    this.#builtIn.input.disabled = availability === "unavailable";
    this.#builtInNote.textContent = BUILT_IN[availability];
    this.#download.hidden = availability !== "downloadable";
  }

  async #fetchBuiltIn(): Promise<void> {
    this.#say("Downloading. You can close the settings meanwhile.");
    try {
      await downloadBuiltIn();
      this.#say("Downloaded.");
    } catch (error) {
      this.#say(`The download failed. ${reason(error)}`);
    }
    await this.#showBuiltIn();
  }

  #arrange(): void {
    this.#details.hidden = !this.#endpoint.input.checked;
  }

  /** The choice of a model as it stands in the form; nothing, and the problems shown, when they are not complete. */
  #read(): ModelChoice | undefined {
    if (this.#builtIn.input.checked) return { kind: "built-in" };
    if (!this.#endpoint.input.checked) return NO_MODEL;
    const endpoint: Endpoint = { kind: "endpoint", url: this.#url.input.value.trim(), key: this.#key.input.value.trim(), model: this.#model.input.value.trim() };
    const problems = endpointProblems(endpoint);
    this.#url.complain(problems.url);
    this.#model.complain(problems.model);
    const wrong = problems.url ? this.#url : problems.model ? this.#model : undefined;
    wrong?.input.focus();
    return wrong ? undefined : endpoint;
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const model = this.#read();
    if (!model) return;
    try {
      const { settings: { window } } = this.#session;
      const kept = await this.#session.connect({ model, review: this.#review.checked, tools: this.#tools.checked, window });
      if (kept) this.element.close();
      else this.#say("In use now, but this browser does not let pages store settings: they will be gone after a reload.");
    } catch (error) {
      this.#say(`Not saved. ${reason(error)}`);
    }
  }

  async #test(): Promise<void> {
    const choice = this.#read();
    const model = choice && connectModel(choice);
    if (!model) return;
    this.#say("Asking…");
    try {
      const { text } = await model.reply([{ role: "user", content: "Say hello in one short sentence." }], { signal: AbortSignal.timeout(30_000), onText: () => {} });
      this.#say(`It answers: ${text}`);
    } catch (error) {
      this.#say(reason(error));
    }
  }

  #say(text: string): void {
    fill(this.#outcome, text);
  }
}

function choice(value: ModelChoice["kind"], label: string): { element: HTMLElement; input: HTMLInputElement } {
  const input = element("input", { type: "radio", name: "kind", value, "data-testid": `kind-${value}` });
  return { element: element("label", { class: "check" }, input, label), input };
}

interface Line {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  complain(problem: string | undefined): void;
}

function line(name: string, label: string, attributes: Record<string, string>): Line {
  const problem = element("p", { class: "problem", id: `${name}-problem` });
  const input = element("input", {
    class: "field", id: `setting-${name}`, name, autocomplete: "off", spellcheck: "false", autocapitalize: "off",
    "aria-describedby": problem.id, "data-testid": `setting-${name}`, ...attributes,
  });
  return {
    element: element("div", {}, element("label", { class: "label", for: input.id }, label), input, problem),
    input,
    complain(text) {
      problem.textContent = text ?? "";
      input.setAttribute("aria-invalid", String(text !== undefined));
    },
  };
}
