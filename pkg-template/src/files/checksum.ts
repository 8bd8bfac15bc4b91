/** CRC-32 (IEEE 802.3), eight bytes at a time. */

const TABLES = tables();

function tables(): Uint32Array {
  const tables = new Uint32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let sum = byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
    tables[byte] = sum >>> 0;
  }
  for (let index = 256; index < tables.length; index += 1) {
    const before = tables[index - 256]!;
    tables[index] = (before >>> 8) ^ tables[before & 255]!;
  }
  return tables;
}

/** The checksum of bytes. */
export function checksum(bytes: Uint8Array): number {
  const t = TABLES;
  const { length } = bytes;
  let sum = -1;
  let at = 0;
  for (; at + 8 <= length; at += 8) {
    sum ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    sum =
      t[1792 + (sum & 255)]! ^
      t[1536 + ((sum >>> 8) & 255)]! ^
      t[1280 + ((sum >>> 16) & 255)]! ^
      t[1024 + (sum >>> 24)]! ^
      t[768 + bytes[at + 4]!]! ^
      t[512 + bytes[at + 5]!]! ^
      t[256 + bytes[at + 6]!]! ^
      t[bytes[at + 7]!]!;
  }
  for (; at < length; at += 1) sum = (sum >>> 8) ^ t[(sum ^ bytes[at]!) & 255]!;
  return ~sum >>> 0;
}
