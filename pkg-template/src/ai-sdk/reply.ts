/** The reply of a model that streams, on its way to the memory. */
import type { Part } from "../types.js";
import type { Exchange } from "./exchange.js";
import { reasonOf, type Loose, type ModelCall, type StreamPart } from "./model.js";
import { keptParts } from "./parts.js";
import type { StreamListener } from "./stream.js";

/** Collects what a model streams. */
export class Reply implements StreamListener {
  readonly #exchange: Exchange<ModelCall>;
  readonly #parts: Array<Loose & StreamPart> = [];
  readonly #texts = new Map<unknown, { type: "text"; text: string }>();
  #hasBegun = false;
  #hasFailed = false;

  constructor(exchange: Exchange<ModelCall>) {
    this.#exchange = exchange;
  }

  /** Takes a part note of; answers what to hand on. */
  async seen(given: StreamPart): Promise<StreamPart[]> {
    const part = given as StreamPart & Loose;
    const told = this.#begin(part);
    switch (part.type) {
      case "text-delta":
        this.#text(part["id"]).text += String(part["delta"]);
        break;
      case "tool-call":
      case "tool-result":
      case "file":
      case "source":
        this.#parts.push(part);
        break;
      case "error":
        this.#hasFailed = true;
        break;
      case "finish":
        return [...told.slice(0, -1), await this.#finish(part)];
    }
    return told;
  }

  /** Keeps what was said until the answer was stopped. */
  async stopped(): Promise<void> {
    if (this.#hasFailed) await this.#exchange.end();
    else await this.#exchange.keep(this.#said(), { isLast: true, isAborted: true });
  }

  /** The answer failed. */
  async failed(): Promise<void> {
    this.#hasFailed = true;
    await this.#exchange.end();
  }

  /** The warnings stand in the first part. */
  #begin(part: StreamPart & Loose): StreamPart[] {
    const own = this.#hasBegun ? [] : this.#exchange.warnings();
    this.#hasBegun = true;
    if (own.length === 0) return [part];
    if (part.type !== "stream-start") return [{ type: "stream-start", warnings: own } as StreamPart, part];
    return [{ ...part, warnings: [...(part["warnings"] as object[]), ...own] } as StreamPart];
  }

  async #finish(part: StreamPart & Loose): Promise<StreamPart> {
    const reason = reasonOf(part as { finishReason?: unknown });
    if (this.#hasFailed || reason === "error") await this.failed();
    else await this.#exchange.keep(this.#said(), { isLast: reason !== "tool-calls" });
    const metadata = { ...(part["providerMetadata"] as object | undefined), mnemic: await this.#exchange.metadata() };
    return { ...part, providerMetadata: metadata } as StreamPart;
  }

  #text(id: unknown): { text: string } {
    let text = this.#texts.get(id);
    if (text === undefined) {
      text = { type: "text", text: "" };
      this.#texts.set(id, text);
      this.#parts.push(text);
    }
    return text;
  }

  #said(): Part[] {
    return keptParts(this.#parts);
  }
}
