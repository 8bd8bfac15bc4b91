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
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
}

export class Completion {
  #text = "";
  readonly #calls: { name: string; arguments: string }[] = [];

  /** What was said so far. */
  get text(): string { return this.#text; }

  get answer(): Answer {
    return { text: this.#text, calls: this.#calls.filter((call) => call && call.name !== "") };
  }

  /** Adds the `message` of a whole completion or the `delta` of a streamed piece. */
  add(json: string, part: "message" | "delta"): void {
    const { content, tool_calls: calls } = readChoice(json, part);
    if (typeof content === "string") this.#text += content;
    if (Array.isArray(calls)) calls.forEach((call: CallPiece | null, place) => this.#addCall(call ?? {}, part === "message" ? this.#calls.length : place));
  }

  #addCall({ index, function: called }: CallPiece, place: number): void {
    const at = typeof index === "number" ? index : place;
    const call = (this.#calls[at] ??= { name: "", arguments: "" });
    call.name += text(called?.name);
    // A few servers write an object where the format has JSON text.
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
