/** The bodies of requests. */
import { AbortedError, InvalidInputError, TimeoutError } from "../errors.js";
import { inTime } from "../in-time.js";

/** How much is read of a body that is not wanted, and how long. */
const DRAINED_BYTES = 16 * 1024 * 1024;
const DRAINED_MS = 1000;

/** How long a body that is wanted may take. */
const TAKEN_MS = 300_000;

/**
 * A body of so many bytes at most; of a larger one the rest is not read.
 *
 * @throws InvalidInputError when `length`, which the request says, is more; TimeoutError, and the same while it is read, when it takes too long.
 */
export function taken(body: ReadableStream<Uint8Array> | null, limit: number, length = 0): ReadableStream<Uint8Array> {
  const fits = (bytes: number): void => {
    if (bytes <= limit) return;
    throw new InvalidInputError(`the request has more than ${limit} bytes; split it into several. Nothing was changed`, {
      details: { path: "request.body", limit },
    });
  };
  fits(length);
  const reader = (body ?? new Blob().stream()).getReader();
  const until = Date.now() + TAKEN_MS;
  let bytes = 0;
  const late = (): Error => new TimeoutError(`the request took longer than ${TAKEN_MS / 1000} s to arrive`);
  return new ReadableStream({
    async pull(controller) {
      try {
        const read = reader.read().catch((cause: unknown) => {
          throw new AbortedError("the request ended before all of it was there", { cause });
        });
        const { done, value } = await inTime(read, Math.max(0, until - Date.now()), late);
        if (done) return controller.close();
        fits((bytes += value.byteLength));
        controller.enqueue(value);
      } catch (error) {
        reader.releaseLock();
        throw error;
      }
    },
    // Who has had enough leaves the rest to be drained.
    cancel: () => reader.releaseLock(),
  });
}

/** The text of a body, within the same limits. */
export function textOf(body: ReadableStream<Uint8Array> | null, limit: number): Promise<string> {
  return new Response(taken(body, limit)).text();
}

/** Reads what is left of a body: wrangler's server answers the next request of a connection with 503 when that of the last was left unread. */
export async function drain(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  let bytes = 0;
  // Who sends without an end is not waited for: reading what was cancelled is done.
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), DRAINED_MS);
  try {
    for (let isDone = false; !isDone && bytes < DRAINED_BYTES; ) {
      const { done, value } = await reader.read();
      [isDone, bytes] = [done, bytes + (value?.byteLength ?? 0)];
    }
    await reader.cancel();
  } catch {
    // Whoever sent it is gone, or it was forwarded.
  } finally {
    clearTimeout(timer);
  }
}
