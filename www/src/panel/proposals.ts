/** What was learned and waits for the user's yes. */
import type { Proposal, ProposedChange, Trust } from "mnemic";
import { element, fill } from "../page/element";
import { List, type Row } from "../page/list";
import { moment } from "../page/moment";
import { kindChip } from "./kind";
import { sources } from "./sources";
import type { Tools } from "./tools";

const ACTIONS: Record<ProposedChange["action"], string> = { create: "New", update: "Change", end: "No longer true", delete: "Delete" };

/** Where it comes from, by how far it is trusted. */
const SPEAKERS: Record<Trust, string> = { user: "From you", assistant: "From the assistant", tool: "From a tool", document: "From a document", web: "From the web" };

/** Why it is held. */
const REASONS: Record<Exclude<Proposal["reason"], "review">, string> = {
  trust: "it would change what is trusted more than its source, so it waits for you.",
  instructs: "it tries to tell the assistant what to do, or hides something. Accept it only if you wanted it.",
};

export class ProposalsPanel {
  readonly element: HTMLElement;
  readonly #list: List<Proposal>;
  readonly #hint = element("p", { class: "hint" });
  readonly #all: HTMLElement;
  readonly #tools: Tools;
  #shown: readonly Proposal[] = [];

  constructor(tools: Tools) {
    this.#tools = tools;
    const decide = (ids: readonly string[], yes: boolean): void => void this.#decide(ids, yes);
    this.#list = new List(element("ul", { class: "plain-list items" }), ({ id }) => id, (proposal) => new ProposalRow(proposal, tools, decide));
    const everything = (yes: boolean) => () => decide(this.#shown.map(({ id }) => id), yes);
    this.#all = element("div", { class: "buttons" },
      element("button", { type: "button", class: "button button-main", "data-testid": "accept-all", onclick: everything(true) }, "Accept all"),
      element("button", { type: "button", class: "button", "data-testid": "reject-all", onclick: everything(false) }, "Reject all"));
    this.element = element("section", { "data-testid": "proposals", tabindex: -1 }, this.#hint, this.#list.element, this.#all);
  }

  async update(): Promise<number> {
    this.#shown = await this.#tools.session.user.proposals.list();
    this.#list.show(this.#shown);
    this.#all.hidden = this.#shown.length < 2;
    this.#hint.textContent = this.#shown.length === 0 ? "Nothing to review. When the assistant asks before remembering, what it learned waits here for you." : "None of this is remembered until you accept it.";
    return this.#shown.length;
  }

  async #decide(ids: readonly string[], yes: boolean): Promise<void> {
    const { changes, session: { user: { proposals } } } = this.#tools;
    const done = (what: string): string => (ids.length === 1 ? `${what}.` : `${what}: ${ids.length}.`);
    if (yes) await changes.make(done("Accepted"), "Could not accept this.", () => proposals.accept(ids), this.element);
    else await changes.make(done("Rejected"), "Could not reject this.", () => proposals.reject(ids), this.element);
  }
}

class ProposalRow implements Row<Proposal> {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #decide: (ids: readonly string[], yes: boolean) => void;
  #shown = "";

  constructor(proposal: Proposal, tools: Tools, decide: (ids: readonly string[], yes: boolean) => void) {
    this.#tools = tools;
    this.#decide = decide;
    this.element = element("li", { class: "item", tabindex: -1, "data-testid": "proposal" });
    this.update(proposal);
  }

  update(proposal: Proposal): void {
    const shown = JSON.stringify(proposal);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const { id, text, changes, createdAt, source, reason } = proposal;
    const from = source.flatMap(({ trust }) => (trust === undefined ? [] : [trust]))[0];
    fill(this.element,
      ...(changes.length === 0 ? [element("p", { class: "value", dir: "auto" }, text)] : changes.map(changeShown)),
      reason !== "review" && element("p", { class: "held", "data-testid": "held" }, `${SPEAKERS[from ?? "tool"]}: ${REASONS[reason]}`),
      sources(source, this.#tools.showSource),
      element("p", { class: "byline" }, moment(createdAt)),
      element("div", { class: "buttons" },
        element("button", { type: "button", class: "button button-main", "aria-label": `Accept: ${text}`, "data-testid": "accept", onclick: () => this.#decide([id], true) }, "Accept"),
        element("button", { type: "button", class: "button", "aria-label": `Reject: ${text}`, "data-testid": "reject", onclick: () => this.#decide([id], false) }, "Reject")));
  }
}

function changeShown({ action, kind, before, after }: ProposedChange): HTMLElement {
  return element("div", { class: "proposed" },
    element("div", { class: "item-head" }, kindChip(kind), element("span", { class: "hint" }, ACTIONS[action])),
    element("p", { class: "value", dir: "auto" },
      before !== undefined && element(after === undefined && action === "end" ? "span" : "del", {}, before),
      before !== undefined && after !== undefined && " ",
      after !== undefined && (before === undefined ? after : element("ins", {}, after))));
}
