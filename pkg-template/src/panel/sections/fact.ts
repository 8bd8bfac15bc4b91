/** One fact: its text, how much it matters, since when it is true, and the words it came from. */
import type { Category, Fact } from "../../types.js";
import type { EntryView } from "../entries/entry.js";
import { sources, told } from "../entries/sources.js";
import { valueEditor } from "../entries/value-editor.js";
import { ORIGINS } from "../entries/why.js";
import { element } from "../page/element.js";
import type { Key } from "../texts/words.js";
import type { Tools } from "../tools.js";

const CATEGORIES: Record<Category, Key> = {
  preference: "categoryPreference", "personal info": "categoryPersonal", goal: "categoryGoal", "pain point": "categoryPain", decision: "categoryDecision",
  event: "categoryEvent", instruction: "categoryInstruction", other: "categoryOther",
};

export function factView(tools: Tools): EntryView<Fact> {
  const { changes, user, words } = tools;
  return {
    testId: () => "fact",
    entry: ({ id, text, pinned }) => ({ id, kind: "fact", name: text, pinned }),
    head: ({ category, significance }) => [
      element("span", { class: "chip" }, words.of(CATEGORIES[category])),
      element("span", { class: "significance", title: words.of("weightTitle") }, words.of("weight", { weight: significance })),
    ],
    body: ({ text, origin, createdAt, validFrom, validTo, source }) => [
      element("p", { class: `value${validTo === undefined ? "" : " past"}`, dir: "auto", "data-testid": "value" }, text),
      validTo !== undefined && element("p", { class: "hint", "data-testid": "span-of-time" }, words.of("trueFromUntil", { from: words.time(validFrom), until: words.time(validTo) })),
      sources(told(source), tools),
      element("p", { class: "byline" }, element("span", {}, words.of(ORIGINS[origin])), words.moment(createdAt)),
    ],
    editor: ({ id, text: former, category, significance }, close, isGone) => valueEditor(
      words,
      { label: words.of("kindFact"), value: former },
      async (text) => {
        if (isGone()) changes.done("added", await user.facts.add({ text, category, significance }));
        else changes.done("changed", await user.facts.update(id, { text }));
      },
      close,
    ),
    restore: async ({ id }, revision) => {
      await changes.make("restored", async () => {
        const former = (await user.history(id)).find((one) => one.revision === revision);
        return user.facts.update(id, { text: former?.text });
      });
    },
  };
}
