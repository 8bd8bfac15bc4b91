/** An import in the worker, of what a page gives. */
import { typed } from "../errors.js";
import type { Imported, ImportOptions, ImportSource } from "../import/format.js";
import { importInto } from "../import/run.js";
import type { Engine } from "../mnemic.js";
import { plain } from "../plain.js";
import type { SentSource } from "./pieces.js";
import type { Wire } from "./wire.js";

/** What the page asks for. */
export type Importing = readonly [number: number, scope: string, source: SentSource, options: Omit<ImportOptions, "onProgress" | "signal">];

/** Carries it out. */
export function importHere(engine: Engine, wire: Wire, [number, scope, source, options]: Importing, signal: AbortSignal): Promise<Imported> {
  const typedOf = <Answer>(answer: Promise<Answer>): Promise<Answer> => answer.catch((error: unknown) => Promise.reject(typed(error)));
  const line = {
    whole: false,
    call: async <Answer>(method: string, input: object): Promise<Answer> => {
      return JSON.parse(await typedOf(engine.call(method, scope, plain(input)))) as Answer;
    },
    transfer: (transfer: number, bytes: Uint8Array<ArrayBuffer>) => typedOf(engine.transfer(transfer, bytes)),
  };
  return importInto(line, sourceOf(wire, number, source), { ...options, signal, onProgress: (progress) => wire.tell("progress", number, progress) });
}

function sourceOf(wire: Wire, number: number, source: SentSource): ImportSource {
  if ("file" in source) return source.file;
  const next = (): Promise<IteratorResult<unknown>> => wire.ask("piece", [number]);
  if (source.pieces === "texts") return texts(next);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array);
    },
  });
}

async function* texts(next: () => Promise<IteratorResult<unknown>>): AsyncIterable<string> {
  for (;;) {
    const { done, value } = await next();
    if (done) return;
    yield value as string;
  }
}
