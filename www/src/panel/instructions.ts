/** What the assistant is told to do and how: written by the user, or revised by the model from feedback. */
import type { Instruction } from "mnemic";
import { element } from "../page/element";
import { List } from "../page/list";
import { EntryRow, type EntryView } from "./entry";
import { ModelForm } from "./model-form";
import { sources } from "./sources";
import type { Tools } from "./tools";
import { valueEditor } from "./value-editor";

/** The instruction that every reply follows. */
const MAIN = "assistant";

interface ShownInstruction {
  readonly name: string;
  readonly instruction: Instruction | undefined;
}

export class InstructionsPanel {
  readonly element: HTMLElement;
  readonly #list: List<ShownInstruction>;
  readonly #revise: ModelForm;
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
    const view = instructionView(tools);
    this.#list = new List(element("ul", { class: "plain-list items" }), ({ name }) => name, (shown) => new EntryRow(shown, view, tools));
    this.#revise = new ModelForm(tools.session, {
      testId: "revise", label: "What should change?", placeholder: "Shorter answers, please, and no lists.", action: "Revise from feedback",
      run: async (feedback) => {
        const { session, changes } = tools;
        const action = await session.user.instructions.revise({ feedback, threadId: tools.currentThread() });
        changes.done("Instructions revised.", action);
      },
    });
    this.element = element("section", { "data-testid": "instructions", tabindex: -1 },
      element("p", { class: "hint" }, "A connected model follows these in every reply."),
      this.#list.element, this.#revise.element);
  }

  async update(): Promise<number> {
    const instructions = await this.#tools.session.user.instructions.list();
    const main = instructions.find(({ name }) => name === MAIN);
    const others = instructions.filter(({ name }) => name !== MAIN);
    this.#list.show([{ name: MAIN, instruction: main }, ...others.map((instruction) => ({ name: instruction.name, instruction }))]);
    this.#revise.update();
    return instructions.length;
  }
}

function instructionView({ session, changes, showSource }: Tools): EntryView<ShownInstruction> {
  const label = (name: string): string => (name === MAIN ? "How to reply" : name);
  return {
    testId: () => "instruction",
    entry: ({ name, instruction }) => ({ id: instruction?.id, noun: "Instruction", name: label(name), pinned: instruction?.pinned }),
    head: ({ name, instruction }) => [element("h3", { dir: "auto" }, label(name)), !instruction && element("span", { class: "hint" }, "Not set")],
    body: ({ instruction }) => (instruction ? [
      element("p", { class: "value", dir: "auto", "data-testid": "value" }, instruction.text),
      instruction.why && element("p", { class: "hint", dir: "auto" }, instruction.why),
      sources(instruction.source, showSource),
    ] : []),
    editor: ({ name, instruction }, close) => valueEditor(
      { label: label(name), value: instruction?.text ?? "", isLong: true },
      async (value) => changes.done(`Instruction ${instruction ? "changed" : "added"}.`, await session.user.instructions.set(String(value), { name })),
      close,
    ),
    restore: async ({ name }, revision) => {
      await changes.make("Instruction restored.", "Could not restore this.", () => session.user.instructions.rollback(name, revision));
    },
  };
}
