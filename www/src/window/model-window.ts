/** What is in the window of the model: of a request that is on its way as it was sent, otherwise of the next one. */
import type { Session } from "../session";
import type { WindowReport } from "./parts";
import { promptFor } from "./prompt";

export class ModelWindow {
  readonly #session: Session;
  readonly #listeners = new Set<() => void>();
  #next: WindowReport | undefined;
  #sent: WindowReport | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Undefined until it was read for the first time. */
  get report(): WindowReport | undefined { return this.#sent ?? this.#next; }
  get isSent(): boolean { return this.#sent !== undefined; }

  /** Calls back whenever there is something else to show. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** A request is on its way, or none any more. */
  sends(report: WindowReport | undefined): void {
    this.#sent = report;
    this.#changed();
  }

  /** Reads what the next request of a chat would have. */
  async update(threadId: string): Promise<void> {
    this.#next = (await promptFor(this.#session, { threadId })).report;
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
