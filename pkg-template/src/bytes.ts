/** Bytes in pieces, and compared. */

/** The pieces as one; a single one as it is. */
export function joined(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer>;
export function joined(pieces: readonly Uint8Array[]): Uint8Array;
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const whole = new Uint8Array(pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** Whether these are the same bytes. */
export function isEqual(one: Uint8Array | undefined, other: Uint8Array): boolean {
  if (one?.length !== other.length) return false;
  // Many times as fast as every().
  for (let at = 0; at < other.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
