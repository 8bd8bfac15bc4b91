/** One fact: its text, how much it matters, since when it is true, and the words it came from. */
import type { Fact } from "mnemic";
import { element } from "../page/element";
import { describeMoment, moment } from "../page/moment";
import type { EntryView } from "./entry";
import { sources, told } from "./sources";
import type { Tools } from "./tools";
import { valueEditor } from "./value-editor";
import { ORIGINS } from "./why";

export function factView({ session, changes, showSource }: Tools): EntryView<Fact> {
  return {
    testId: () => "fact",
    entry: ({ id, text, pinned }) => ({ id, noun: "Fact", name: text, pinned }),
    head: ({ category, significance }) => [
      element("span", { class: "chip" }, category),
      element("span", { class: "significance", title: "How much this matters, from 1 to 10" }, `Weight ${significance} of 10`),
    ],
    body: ({ text, origin, createdAt, validFrom, validTo, source }) => [
      element("p", { class: `value${validTo === undefined ? "" : " past"}`, dir: "auto", "data-testid": "value" }, text),
      validTo !== undefined && element("p", { class: "hint", "data-testid": "span-of-time" }, `True since ${describeMoment(validFrom)}, until ${describeMoment(validTo)}`),
      sources(told(source), showSource),
      element("p", { class: "byline" }, element("span", {}, ORIGINS[origin]), moment(createdAt)),
    ],
    editor: ({ id, text }, close) => valueEditor(
      { label: "Fact", value: text },
      async (value) => changes.done("Fact changed.", await session.user.facts.update(id, { text: String(value) })),
      close,
    ),
    restore: async ({ id }, revision) => {
      await changes.make("Fact restored.", "Could not restore this.", async () => {
        const former = (await session.user.history(id)).find((one) => one.revision === revision);
        return session.user.facts.update(id, { text: former?.text });
      });
    },
  };
}
