/** The bodies of requests. */
import { InvalidInputError } from "../errors.js";

/** How much is read of a body that is not wanted. */
const DRAINED_BYTES = 16 * 1024 * 1024;

/** The text of a body. @throws InvalidInputError as soon as it has too many bytes; the rest is not read. */
export async function textOf(body: ReadableStream<Uint8Array> | null, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  const reader = (body ?? new Blob().stream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > limit) {
      reader.releaseLock();
      throw new InvalidInputError(`the request has more than ${limit} bytes; split it into several. Nothing was changed`, {
        details: { path: "request.body", limit },
      });
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Reads what is left of a body: wrangler's server answers the next request of a connection with 503 when that of the last was left unread. */
export async function drain(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (body === null || body.locked) return;
  const reader = body.getReader();
  let bytes = 0;
  try {
    for (let isDone = false; !isDone && bytes < DRAINED_BYTES; ) {
      const { done, value } = await reader.read();
      [isDone, bytes] = [done, bytes + (value?.byteLength ?? 0)];
    }
    await reader.cancel();
  } catch {
    // Whoever sent it is gone, or it was forwarded.
  }
}
