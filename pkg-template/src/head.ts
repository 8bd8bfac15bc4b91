/** The head counter of a storage: what a write compares, so that of two writers one wins. */
import { ConflictError, StorageError } from "./errors.js";

/** The key of the head, whose value begins with the counter: a little-endian unsigned 64-bit number. */
export const HEAD_KEY = "head";

const COUNTER_BYTES = 8;

/** The counter that a stored head begins with: 0 without one, undefined when it is too short to have one. */
export function storedCounter(value: Uint8Array | undefined): number | undefined {
  if (value === undefined) return 0;
  if (value.byteLength < COUNTER_BYTES) return undefined;
  return Number(new DataView(value.buffer, value.byteOffset).getBigUint64(0, true));
}

/**
 * Compares the stored head with what a write expects.
 *
 * @param value The stored value of {@link HEAD_KEY}, the counter is 0 when there is none.
 * @throws ConflictError when another memory has written since; StorageError when the value is too short to hold a counter.
 */
export function checkHead(value: Uint8Array | undefined, expected: number): void {
  checkCounter(storedCounter(value), expected);
}

/** The same for the counter of a head. */
export function checkCounter(counter: number | undefined, expected: number): void {
  if (counter === undefined) throw new StorageError(`the stored head has fewer than ${COUNTER_BYTES} bytes: it is damaged; restore a backup`);
  if (counter !== expected) {
    throw new ConflictError(`the head is ${counter}, not ${expected}: another memory wrote to this storage; read it again`);
  }
}
