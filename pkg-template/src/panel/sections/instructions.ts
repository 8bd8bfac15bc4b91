/** What the assistant is told to do and how: written by the user, or revised by the model from feedback. */
import type { Instruction } from "../../instructions.js";
import { EntryRow, type EntryView } from "../entries/entry.js";
import { ModelForm } from "../entries/model-form.js";
import { sources } from "../entries/sources.js";
import { valueEditor } from "../entries/value-editor.js";
import { element } from "../page/element.js";
import { List } from "../page/list.js";
import type { Tools } from "../tools.js";
import type { Section, Standing } from "./section.js";

/** The instruction that every reply follows. */
const MAIN = "assistant";

interface ShownInstruction {
  readonly name: string;
  readonly instruction: Instruction | undefined;
}

export class InstructionsSection implements Section {
  readonly element: HTMLElement;
  readonly #list: List<ShownInstruction>;
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
    const { changes, settings, user, words } = tools;
    const view = instructionView(tools);
    this.#list = new List(element("ul", { class: "plain-list items" }), ({ name }) => name, (shown) => new EntryRow(shown, view, tools));
    const revise = settings.hasModel && new ModelForm(words, {
      testId: "revise", label: words.of("whatShouldChange"), placeholder: words.of("feedbackExample"), action: words.of("reviseFromFeedback"),
      run: async (feedback) => changes.done("changed", await user.instructions.revise({ feedback, ...(settings.threadId !== undefined && { threadId: settings.threadId }) })),
    }).element;
    this.element = element("section", { "data-testid": "instructions" }, element("p", { class: "hint" }, words.of("instructionsHint")), this.#list.element, revise);
  }

  async update(): Promise<Standing> {
    const instructions = await this.#tools.user.instructions.list();
    const main = instructions.find(({ name }) => name === MAIN);
    const others = instructions.filter(({ name }) => name !== MAIN);
    this.#list.show([{ name: MAIN, instruction: main }, ...others.map((instruction) => ({ name: instruction.name, instruction }))]);
    return { count: instructions.length };
  }
}

function instructionView(tools: Tools): EntryView<ShownInstruction> {
  const { changes, user, words } = tools;
  const label = (name: string): string => (name === MAIN ? words.of("howToReply") : name);
  return {
    testId: () => "instruction",
    entry: ({ name, instruction }) => ({ id: instruction?.id, kind: "instruction", name: label(name), pinned: instruction?.pinned }),
    head: ({ name, instruction }) => [element("h3", { dir: "auto" }, label(name)), !instruction && element("span", { class: "hint" }, words.of("notSet"))],
    body: ({ instruction }) => (instruction ? [
      element("p", { class: "value", dir: "auto", "data-testid": "value" }, instruction.text),
      instruction.why && element("p", { class: "hint", dir: "auto" }, instruction.why),
      sources(instruction.source, tools),
    ] : []),
    editor: ({ name, instruction }, close) => valueEditor(
      words,
      { label: label(name), value: instruction?.text ?? "", isLong: true },
      async (value) => changes.done(instruction ? "changed" : "added", await user.instructions.set(value, { name })),
      close,
    ),
    restore: async ({ name }, revision) => {
      await changes.make("restored", () => user.instructions.rollback(name, revision));
    },
  };
}
