/** A client at the other end of the standard streams. */
import type { Readable, Writable } from "node:stream";
import { failed, INVALID_REQUEST, PARSE_ERROR } from "../mcp/outgoing.js";
import type { McpTransport } from "../mcp/session.js";

/** Options of {@link stdioTransport}. */
export interface StdioOptions {
  /** Where messages come from, one in each line. Default: `process.stdin`. */
  readonly input?: Readable | undefined;
  /** Where messages go to. Nothing else may be written there. Default: `process.stdout`. */
  readonly output?: Writable | undefined;
}

/** The most characters of a line. */
const MAX_LINE = 16 * 1024 * 1024;

/**
 * Carries the messages of a `mcpServer` over the standard streams of this process. It closes when the input ends.
 *
 * @example
 * ```ts no-run
 * import { openMemory } from "mnemic";
 * import { mcpServer } from "mnemic/mcp";
 * import { sqliteStorage, stdioTransport } from "mnemic/node";
 * const memory = await openMemory({ name: "chat", storage: sqliteStorage("chat.db") });
 * await mcpServer(memory.scope({ userId: "alice" })).connect(stdioTransport());
 * await memory.close();
 * ```
 */
export function stdioTransport({ input = process.stdin, output = process.stdout }: StdioOptions = {}): McpTransport {
  return new StdioTransport(input, output);
}

class StdioTransport implements McpTransport {
  onmessage?: (message: object) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  /** The beginning of a line. */
  #rest: string[] = [];
  #length = 0;
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.setEncoding("utf8");
    this.#input.on("data", this.#heard);
    this.#input.on("end", this.#ended);
    this.#input.on("error", this.#failed);
    this.#output.on("error", this.#failed);
  }

  send(message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#ended();
  }

  readonly #ended = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off("data", this.#heard);
    this.#input.pause();
    this.onclose?.();
  };

  /** A stream that broke: nobody is there any more. */
  readonly #failed = (error: Error): void => {
    this.onerror?.(error);
    this.#ended();
  };

  readonly #heard = (text: string): void => {
    const [first = "", ...others] = text.split("\n");
    this.#keep(first);
    for (const part of others) {
      this.#line();
      this.#keep(part);
    }
  };

  #keep(part: string): void {
    this.#length += part.length;
    // What is too long is counted and not kept.
    if (this.#length <= MAX_LINE) this.#rest.push(part);
    else this.#rest = [];
  }

  #line(): void {
    const [line, length] = [this.#rest.join(""), this.#length];
    this.#rest = [];
    this.#length = 0;
    if (length > MAX_LINE) return this.#refuse(INVALID_REQUEST, `the message exceeds ${MAX_LINE} characters`);
    if (line.trim() === "") return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#refuse(PARSE_ERROR, "the message is not JSON");
    }
    this.onmessage?.(message as object);
  }

  #refuse(code: number, message: string): void {
    void this.send(failed(null, code, message)).catch(this.#failed);
  }
}
