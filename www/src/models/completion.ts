/** A chat completion as it comes: whole, or in streamed pieces that are put together. */
import type { Answer } from "./model";
import { ModelError } from "./model-error";

const SHOWN_BODY = 200;

interface Piece {
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

interface CallPiece {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
}

interface Call {
  readonly id: string;
  name: string;
  arguments: string;
}

export class Completion {
  #text = "";
  readonly #calls: Call[] = [];
  /** The call that pieces of an index belong to. */
  readonly #byIndex = new Map<unknown, Call>();

  /** What was said so far. */
  get text(): string { return this.#text; }

  get answer(): Answer {
    return { text: this.#text, calls: this.#calls.filter(({ name }) => name !== "").map(({ name, arguments: given }) => ({ name, arguments: given })) };
  }

  /** Adds the `message` of a whole completion or the `delta` of a streamed piece. */
  add(json: string, part: "message" | "delta"): void {
    const { content, tool_calls: calls } = readChoice(json, part);
    if (typeof content === "string") this.#text += content;
    if (Array.isArray(calls)) for (const call of calls) this.#addCall((call ?? {}) as CallPiece);
  }

  /** Servers differ in how they tell which call a piece belongs to: by its index, by its id, or by naming the tool at its beginning. */
  #addCall({ index, id, function: called }: CallPiece): void {
    const name = text(called?.name);
    const known = index === undefined ? (name === "" ? this.#calls.at(-1) : undefined) : this.#byIndex.get(index);
    const isOther = known !== undefined && text(id) !== "" && known.id !== "" && known.id !== id;
    const call = known && !isOther ? known : { id: text(id), name: "", arguments: "" };
    if (call !== known) this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    call.name ||= name;
    // A few write an object where the format has JSON text.
    call.arguments += typeof called?.arguments === "object" ? JSON.stringify(called.arguments) : text(called?.arguments);
  }
}

/** The part of a completion; empty when it carries none. */
function readChoice(json: string, part: "message" | "delta"): Piece {
  let answer: { choices?: { [name in "message" | "delta"]?: Piece | null }[]; error?: { message?: unknown } };
  try {
    answer = JSON.parse(json);
  } catch {
    throw new ModelError(`The endpoint answered with something that is not a chat completion: ${json.slice(0, SHOWN_BODY)}`);
  }
  if (typeof answer?.error?.message === "string") throw new ModelError(`The endpoint failed: ${answer.error.message}`);
  if (!Array.isArray(answer?.choices)) {
    throw new ModelError(`The endpoint answered with something that is not a chat completion: ${json.slice(0, SHOWN_BODY)}`);
  }
  return answer.choices[0]?.[part] ?? {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
