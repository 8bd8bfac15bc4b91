/** Examples: how things went once, to do as well again. */
import type { Episode, NewEpisode } from "mnemic";
import { element } from "../page/element";
import { List } from "../page/list";
import { moment } from "../page/moment";
import { Adder } from "./adder";
import { EntryRow, type EntryView } from "./entry";
import { ModelForm } from "./model-form";
import { partsEditor } from "./parts-editor";
import { sources } from "./sources";
import type { Tools } from "./tools";
import { ORIGINS } from "./why";

const PAGE = 100;

export class EpisodesPanel {
  readonly element: HTMLElement;
  readonly #list: List<Episode>;
  readonly #hint = element("p", { class: "hint" }, "No examples yet. An example says what was asked, what was done and how it turned out; later replies can follow it.");
  readonly #learn: ModelForm;
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
    const { session, changes } = tools;
    const view = episodeView(tools);
    this.#list = new List(element("ul", { class: "plain-list items" }), ({ id }) => id, (episode) => new EntryRow(episode, view, tools));
    const adder = new Adder("Add an example", (close) => partsEditor(
      parts({ situation: "", approach: "", outcome: "" }),
      async (values) => changes.done("Example added.", await session.user.episodes.add(values)),
      close,
    ));
    this.#learn = new ModelForm(session, {
      testId: "learn-episode", action: "Learn from this conversation",
      run: async () => {
        const actions = await session.user.episodes.learn({ threadId: tools.currentThread() });
        if (actions.length === 0) changes.said("This conversation holds no example worth keeping.");
        else changes.done("Example learned.", actions);
      },
    });
    this.element = element("section", { "data-testid": "episodes", tabindex: -1 }, adder.element, this.#learn.element, this.#hint, this.#list.element);
  }

  async update(): Promise<number> {
    const episodes = await this.#tools.session.user.episodes.list({ limit: PAGE });
    this.#hint.hidden = episodes.length > 0;
    this.#list.show(episodes);
    this.#learn.update();
    return episodes.length;
  }
}

function parts({ situation, approach, outcome }: NewEpisode) {
  return {
    situation: { label: "What was asked?", value: situation, isLong: true },
    approach: { label: "What was done?", value: approach, isLong: true },
    outcome: { label: "How did it turn out?", value: outcome, isLong: true },
  };
}

function episodeView({ session, changes, showSource }: Tools): EntryView<Episode> {
  return {
    testId: () => "episode",
    entry: ({ id, situation, pinned }) => ({ id, noun: "Example", name: situation, pinned }),
    head: ({ situation }) => [element("h3", { class: "value grows", dir: "auto" }, situation)],
    body: ({ approach, outcome, origin, createdAt, source }) => [
      element("dl", { class: "parts" },
        element("div", {}, element("dt", {}, "What was done"), element("dd", { dir: "auto" }, approach)),
        element("div", {}, element("dt", {}, "Outcome"), element("dd", { dir: "auto" }, outcome))),
      sources(source.slice(0, 1), showSource),
      element("p", { class: "byline" }, element("span", {}, ORIGINS[origin]), moment(createdAt)),
    ],
    editor: ({ id, situation, approach, outcome }, close) => partsEditor(
      parts({ situation, approach, outcome }),
      async (values) => changes.done("Example changed.", await session.user.episodes.update(id, values)),
      close,
    ),
    words: ({ value }) => {
      const { situation, approach, outcome } = (value ?? {}) as Partial<Episode>;
      return situation === undefined ? undefined : `${situation}: ${approach}, ${outcome}`;
    },
  };
}
