/** The head counter of a storage: what a write compares, so that of two writers one wins. */
import { ConflictError, StorageError } from "./errors.js";

/** The key of the head, whose value begins with the counter: a little-endian unsigned 64-bit number. */
export const HEAD_KEY = "head";

const COUNTER_BYTES = 8;

/**
 * Compares the stored head with what a write expects.
 *
 * @param value The stored value of {@link HEAD_KEY}; the counter is 0 when there is none.
 * @throws ConflictError when another memory has written since; StorageError when the value is too short to hold a counter.
 */
export function checkHead(value: Uint8Array | undefined, expected: number): void {
  const counter = value === undefined ? 0 : counterOf(value);
  if (counter !== expected) {
    throw new ConflictError(`the head is ${counter}, not ${expected}: another memory wrote to this storage; read it again`);
  }
}

function counterOf(value: Uint8Array): number {
  if (value.byteLength < COUNTER_BYTES) {
    throw new StorageError(`the stored head has ${value.byteLength} bytes instead of at least ${COUNTER_BYTES}: it is damaged`);
  }
  return Number(new DataView(value.buffer, value.byteOffset).getBigUint64(0, true));
}
