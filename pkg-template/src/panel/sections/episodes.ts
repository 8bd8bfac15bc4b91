/** Examples: how things went once, to do as well again. */
import type { Episode, NewEpisode } from "../../episodes.js";
import { Adder } from "../entries/adder.js";
import { EntryRow, type EntryView } from "../entries/entry.js";
import { ModelForm } from "../entries/model-form.js";
import { partsEditor } from "../entries/parts-editor.js";
import { sources } from "../entries/sources.js";
import { ORIGINS } from "../entries/why.js";
import { element } from "../page/element.js";
import { List } from "../page/list.js";
import type { Words } from "../texts/words.js";
import type { Tools } from "../tools.js";
import type { Section, Standing } from "./section.js";

const PAGE = 100;

export class EpisodesSection implements Section {
  readonly element: HTMLElement;
  readonly #list: List<Episode>;
  readonly #hint: HTMLElement;
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
    const { changes, settings, user, words } = tools;
    const view = episodeView(tools);
    this.#list = new List(element("ul", { class: "plain-list items" }), ({ id }) => id, (episode) => new EntryRow(episode, view, tools));
    this.#hint = element("p", { class: "hint", hidden: true }, words.of("noEpisodes"));
    const adder = new Adder(words.of("addEpisode"), (close) => partsEditor(
      words, parts(words, { situation: "", approach: "", outcome: "" }),
      async (values) => changes.done("added", await user.episodes.add(values)),
      close,
    ));
    const learn = settings.hasModel && new ModelForm(words, {
      testId: "learn-episode", action: words.of("learnFromConversation"),
      run: async () => {
        if (settings.threadId === undefined) return changes.said("nothingToLearn");
        const actions = await user.episodes.learn({ threadId: settings.threadId });
        if (actions.length === 0) changes.said("nothingToLearn");
        else changes.done("learned", actions);
      },
    }).element;
    this.element = element("section", { "data-testid": "episodes" }, adder.element, learn, this.#hint, this.#list.element);
  }

  async update(): Promise<Standing> {
    const episodes = await this.#tools.user.episodes.list({ limit: PAGE });
    this.#hint.hidden = episodes.length > 0;
    this.#list.show(episodes);
    return { count: episodes.length };
  }
}

function parts(words: Words, { situation, approach, outcome }: NewEpisode) {
  return {
    situation: { label: words.of("askSituation"), value: situation, isLong: true },
    approach: { label: words.of("askApproach"), value: approach, isLong: true },
    outcome: { label: words.of("askOutcome"), value: outcome, isLong: true },
  };
}

function episodeView(tools: Tools): EntryView<Episode> {
  const { changes, user, words } = tools;
  return {
    testId: () => "episode",
    entry: ({ id, situation, pinned }) => ({ id, kind: "episode", name: situation, pinned }),
    head: ({ situation }) => [element("h3", { class: "value grows", dir: "auto" }, situation)],
    body: ({ approach, outcome, origin, createdAt, source }) => [
      element("dl", { class: "parts" },
        element("div", {}, element("dt", {}, words.of("approach")), element("dd", { dir: "auto" }, approach)),
        element("div", {}, element("dt", {}, words.of("outcome")), element("dd", { dir: "auto" }, outcome))),
      sources(source.slice(0, 1), tools),
      element("p", { class: "byline" }, element("span", {}, words.of(ORIGINS[origin])), words.moment(createdAt)),
    ],
    editor: ({ id, situation, approach, outcome }, close, isGone) => partsEditor(
      words, parts(words, { situation, approach, outcome }),
      async (values) => changes.done("changed", await (isGone() ? user.episodes.add(values) : user.episodes.update(id, values))),
      close,
    ),
    words: ({ value }) => {
      const { situation, approach, outcome } = (value ?? {}) as Partial<Episode>;
      return situation === undefined ? undefined : `${situation}: ${approach}, ${outcome}`;
    },
  };
}
