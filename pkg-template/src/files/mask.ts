/** Masks: what a value holds must not look like a record of the file that it is stored in. */

/** Bytes with a mask, or such bytes without it again. */
export function masked(bytes: Uint8Array, mask: number): Uint8Array {
  return mask === 0 ? bytes : bytes.map((byte, index) => byte ^ (mask >>> (8 * (index & 3))));
}

/** The mask of what begins so many bytes behind the beginning of the data, as if that began there. */
export function maskAt(mask: number, offset: number): number {
  const bits = 8 * (offset & 3);
  return bits === 0 ? mask : ((mask >>> bits) | (mask << (32 - bits))) >>> 0;
}

/** A mask for data in which a tag occurs, so that it does not any more; 0 when it does not. Nobody can know before which one it is. */
export function maskFor(data: Uint8Array, tag: Uint8Array): number {
  let mask = 0;
  for (let shown = data; indexOf(shown, tag) >= 0; shown = masked(data, mask)) {
    mask = crypto.getRandomValues(new Uint32Array(1))[0]! | 1;
  }
  return mask;
}

/** Where bytes occur first in others; -1 when they do not. */
export function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let at = bytes.indexOf(wanted[0]!); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1)) {
    if (holdsAt(bytes, at, wanted)) return at;
  }
  return -1;
}

/** Whether bytes hold others at a place. */
export function holdsAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index += 1) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}
