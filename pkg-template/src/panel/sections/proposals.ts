/** What was learned and waits for the user's yes. */
import type { Proposal, ProposedChange } from "../../proposals.js";
import type { Trust } from "../../types.js";
import { kindChip } from "../entries/kind.js";
import { sources } from "../entries/sources.js";
import { element, fill } from "../page/element.js";
import { List, type Row } from "../page/list.js";
import type { Key } from "../texts/words.js";
import type { Tools } from "../tools.js";
import type { Section, Standing } from "./section.js";

const ACTIONS: Record<ProposedChange["action"], Key> = { create: "proposesNew", update: "proposesChange", end: "noLongerTrue", delete: "delete" };

/** Where it comes from, by how far it is trusted. */
const SPEAKERS: Record<Trust, Key> = { user: "trustUser", assistant: "trustAssistant", tool: "trustTool", document: "trustDocument", web: "trustWeb" };

/** Why it is held. */
const REASONS: Record<Exclude<Proposal["reason"], "review">, Key> = { trust: "heldByTrust", instructs: "heldAsInstruction" };

type Decide = (ids: readonly string[], yes: boolean) => void;

export class ProposalsSection implements Section {
  readonly element: HTMLElement;
  readonly #list: List<Proposal>;
  readonly #hint = element("p", { class: "hint" });
  readonly #all: HTMLElement;
  readonly #tools: Tools;
  #shown: readonly Proposal[] = [];

  constructor(tools: Tools) {
    this.#tools = tools;
    const { words } = tools;
    const decide: Decide = (ids, yes) => void this.#decide(ids, yes);
    this.#list = new List(element("ul", { class: "plain-list items" }), ({ id }) => id, (proposal) => new ProposalRow(proposal, tools, decide));
    const everything = (yes: boolean) => () => decide(this.#shown.map(({ id }) => id), yes);
    this.#all = element("div", { class: "buttons", hidden: true },
      element("button", { type: "button", class: "button button-main", "data-testid": "accept-all", onclick: everything(true) }, words.of("acceptAll")),
      element("button", { type: "button", class: "button", "data-testid": "reject-all", onclick: everything(false) }, words.of("rejectAll")));
    this.element = element("section", { "data-testid": "proposals", tabindex: -1 }, this.#hint, this.#list.element, this.#all);
  }

  async update(): Promise<Standing> {
    this.#shown = await this.#tools.user.proposals.list();
    this.#list.show(this.#shown);
    this.#all.hidden = this.#shown.length < 2;
    this.#hint.textContent = this.#tools.words.of(this.#shown.length === 0 ? "noProposals" : "proposalsHint");
    return { count: this.#shown.length };
  }

  async #decide(ids: readonly string[], yes: boolean): Promise<void> {
    const { changes, user: { proposals } } = this.#tools;
    await changes.make(yes ? "accepted" : "rejected", () => (yes ? proposals.accept(ids) : proposals.reject(ids)), this.element);
  }
}

class ProposalRow implements Row<Proposal> {
  readonly element: HTMLElement;
  readonly #tools: Tools;
  readonly #decide: Decide;
  #shown = "";

  constructor(proposal: Proposal, tools: Tools, decide: Decide) {
    this.#tools = tools;
    this.#decide = decide;
    this.element = element("li", { class: "item", tabindex: -1, "data-testid": "proposal" });
    this.update(proposal);
  }

  update(proposal: Proposal): void {
    const shown = JSON.stringify(proposal);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const { words } = this.#tools;
    const { id, text, changes, createdAt, source, reason } = proposal;
    const from = source.flatMap(({ trust }) => (trust === undefined ? [] : [trust]))[0];
    const decision = (label: Key, spoken: Key, testId: string, yes: boolean): HTMLButtonElement => element("button", {
      type: "button", class: `button${yes ? " button-main" : ""}`, "aria-label": words.of(spoken, { name: text }), "data-testid": testId, onclick: () => this.#decide([id], yes),
    }, words.of(label));
    fill(this.element,
      ...(changes.length === 0 ? [element("p", { class: "value", dir: "auto" }, text)] : changes.map((change) => changeShown(change, this.#tools))),
      reason !== "review" && element("p", { class: "held", "data-testid": "held" }, `${words.of(SPEAKERS[from ?? "tool"])} ${words.of(REASONS[reason])}`),
      sources(source, this.#tools),
      element("p", { class: "byline" }, words.moment(createdAt)),
      element("div", { class: "buttons" }, decision("accept", "acceptNamed", "accept", true), decision("reject", "rejectNamed", "reject", false)));
  }
}

function changeShown({ action, kind, before, after }: ProposedChange, { words }: Tools): HTMLElement {
  return element("div", { class: "proposed" },
    element("div", { class: "item-head" }, kindChip(kind, words), element("span", { class: "hint" }, words.of(ACTIONS[action]))),
    element("p", { class: "value", dir: "auto" },
      before !== undefined && element(after === undefined && action === "end" ? "span" : "del", {}, before),
      before !== undefined && after !== undefined && " ",
      after !== undefined && (before === undefined ? after : element("ins", {}, after))));
}
