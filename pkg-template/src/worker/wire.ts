/** Requests and answers between a page and its worker, in both directions over one port. */
import { received, sent, type SentFailure } from "./failure.js";

/** What crosses. */
type Message =
  | { readonly kind: "ask"; readonly id: number; readonly name: string; readonly values: readonly unknown[] }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly failure: SentFailure }
  | { readonly kind: "abort"; readonly id: number; readonly reason: SentFailure }
  | { readonly kind: "tell"; readonly name: string; readonly values: readonly unknown[] };

/** An answer, with what moves to the other side instead of being copied. */
export class Moved {
  readonly value: unknown;
  readonly transfer: Transferable[];

  constructor(value: unknown, transfer: Transferable[]) {
    this.value = value;
    this.transfer = transfer;
  }
}

/** What the other side asks for. The signal fires when it no longer wants the answer. */
export type Serve = (name: string, values: readonly never[], signal: AbortSignal) => unknown;

/** How something is asked. */
export interface Asking {
  readonly transfer?: Transferable[];
  readonly signal?: AbortSignal | undefined;
}

/** One end of a line. */
export class Wire {
  readonly #port: MessagePort;
  readonly #serve: Serve;
  /** What was asked, and is not answered yet. */
  readonly #asked = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  /** What the other side asked. */
  readonly #serving = new Map<number, AbortController>();
  #last = 0;
  #end: { readonly error: unknown } | undefined;

  constructor(port: MessagePort, serve: Serve) {
    this.#port = port;
    this.#serve = serve;
    port.onmessage = ({ data }: MessageEvent<Message>) => this.#heard(data);
  }

  /** Asks the other side; rejects as it does, and with the error of the line's end. */
  ask<Answer>(name: string, values: readonly unknown[] = [], { transfer = [], signal }: Asking = {}): Promise<Answer> {
    if (this.#end !== undefined) return Promise.reject(this.#end.error);
    const id = (this.#last += 1);
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#asked.set(id, { resolve: resolve as (value: unknown) => void, reject });
    });
    try {
      this.#send({ kind: "ask", id, name, values }, transfer);
    } catch (error) {
      // Something in it cannot cross.
      this.#asked.get(id)?.reject(error);
      this.#asked.delete(id);
      return answer;
    }
    if (signal === undefined) return answer;
    const aborted = (): void => {
      if (this.#asked.has(id)) this.#send({ kind: "abort", id, reason: sent(signal.reason) });
    };
    if (signal.aborted) aborted();
    signal.addEventListener("abort", aborted);
    return answer.finally(() => signal.removeEventListener("abort", aborted));
  }

  /** Tells the other side something that needs no answer. */
  tell(name: string, ...values: readonly unknown[]): void {
    if (this.#end === undefined) this.#send({ kind: "tell", name, values });
  }

  /** Ends the line: what was asked is rejected, and what is being served is told that nobody waits. */
  end(error: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    this.#port.close();
    this.abandon(error);
    for (const controller of this.#serving.values()) controller.abort(error);
    this.#serving.clear();
  }

  /** Waits no longer for what was asked. */
  abandon(error: unknown): void {
    for (const { reject } of this.#asked.values()) reject(error);
    this.#asked.clear();
  }

  #send(message: Message, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  #heard(message: Message): void {
    if (this.#end !== undefined) return;
    switch (message.kind) {
      case "ask":
        return void this.#answer(message.id, message.name, message.values);
      case "tell":
        return void this.#serve(message.name, message.values as readonly never[], NEVER);
      case "abort":
        return this.#serving.get(message.id)?.abort(received(message.reason));
      case "answer":
        this.#asked.get(message.id)?.resolve(message.value);
        break;
      case "failure":
        this.#asked.get(message.id)?.reject(received(message.failure));
    }
    this.#asked.delete(message.id);
  }

  async #answer(id: number, name: string, values: readonly unknown[]): Promise<void> {
    const controller = new AbortController();
    this.#serving.set(id, controller);
    try {
      const answer = await this.#serve(name, values as readonly never[], controller.signal);
      const { value, transfer } = answer instanceof Moved ? answer : new Moved(answer, []);
      if (this.#end === undefined) this.#send({ kind: "answer", id, value }, transfer);
    } catch (error) {
      if (this.#end === undefined) this.#send({ kind: "failure", id, failure: sent(error) });
    } finally {
      this.#serving.delete(id);
    }
  }
}

/** The signal of what is only told. */
const NEVER: AbortSignal = new AbortController().signal;
