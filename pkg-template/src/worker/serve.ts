/** Making a worker serve memories. */
import { InternalError } from "../errors.js";
import type { LoadModule } from "../instance.js";
import type { Embedder, Llm } from "../models.js";
import { Host } from "./host.js";
import { PROTOCOL, type Greeting } from "./protocol.js";

/** What runs in the worker beside the engine. What the page gives to `openMemory` goes before it. */
export interface ModelOptions {
  /** Counts the tokens of a text as your model does, synchronously. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** The language model of all memories whose page gives none. */
  readonly llm?: Llm | undefined;
  /** The embedding model of all memories whose page gives none. */
  readonly embed?: Embedder | undefined;
}

/** What a worker has of a page's greeting. */
type Scope = Partial<Record<"onconnect", unknown>> & EventTarget;

/** Serves memories to the pages that greet this worker. */
export function serveWith(load: LoadModule, models: ModelOptions): void {
  const scope = globalThis as unknown as Scope;
  const isShared = "onconnect" in scope;
  const host = new Host(load, models, isShared);
  const greeted = ({ data, ports: [port] }: MessageEvent<Partial<Greeting> | null>): void => {
    if (data?.mnemic !== PROTOCOL || port === undefined) return;
    void host.welcome(data as Greeting, port).catch((cause: unknown) => {
      throw new InternalError("the worker cannot take a page in", { cause });
    });
  };
  if (isShared) {
    scope.addEventListener("connect", ((connected: MessageEvent) => {
      const [line] = connected.ports;
      line?.addEventListener("message", greeted);
      line?.start();
    }) as EventListener);
  } else {
    scope.addEventListener("message", greeted as EventListener);
  }
}
