/** A stream of parts that is remembered while it is handed on. */
import type { StreamPart } from "./model.js";

/** Is told what a stream does. */
export interface StreamListener {
  /** A part came; answers what to hand on, at least one part. */
  seen(part: StreamPart): Promise<StreamPart[]>;
  /** It was stopped before its end. */
  stopped(): Promise<void>;
  /** It failed. */
  failed(): Promise<void>;
}

/** The same parts in the same order; it ends when the listener has done what it does. */
export function rememberingStream(stream: ReadableStream<StreamPart>, signal: AbortSignal | undefined, listener: StreamListener): ReadableStream<StreamPart> {
  const reader = stream.getReader();
  let hasFinished = false;
  // Whoever reads may leave without a word when the call is aborted, so the signal is listened to as well. What fails then has been told.
  const onAbort = (): void => void (hasFinished ? undefined : listener.stopped().catch(() => {}));
  const end = (): void => signal?.removeEventListener("abort", onAbort);
  signal?.addEventListener("abort", onAbort, { once: true });
  return new ReadableStream<StreamPart>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            end();
            if (!hasFinished) await listener.stopped();
            return controller.close();
          }
          if (value.type === "finish") hasFinished = true;
          for (const part of await listener.seen(value)) controller.enqueue(part);
        } catch (error) {
          end();
          await (signal?.aborted ? listener.stopped() : listener.failed());
          throw error;
        }
      },
      async cancel(reason) {
        end();
        await Promise.all([reader.cancel(reason), hasFinished ? undefined : listener.stopped()]);
      },
    },
    { highWaterMark: 0 },
  );
}
