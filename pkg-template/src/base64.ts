/** Bytes as text. */

/** Bytes as base64. */
export function base64Text(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    text += String.fromCharCode.apply(null, bytes.subarray(start, start + 8192) as unknown as number[]);
  }
  return btoa(text);
}

/**
 * The bytes of base64.
 *
 * @throws DOMException when it is none.
 */
export function base64Bytes(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  // A plain loop: there are millions.
  for (let place = 0; place < bytes.length; place += 1) bytes[place] = characters.charCodeAt(place);
  return bytes;
}
