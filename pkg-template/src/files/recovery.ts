/** Knowing a journal by its records, when its beginning is damaged. */
import { BEGINNING_BYTES } from "./beginning.js";
import type { File } from "./file.js";
import { headerBytes, readBeginning, readHeader, TAG_AT, TAG_BYTES, VERSION, type Form } from "./record.js";
import { Records } from "./records.js";
import { Window } from "./window.js";

/** In how many of the first bytes a record is looked for. */
const SEARCHED_BYTES = 16 * 1024 * 1024;

/** How much is searched at once. */
const PIECE_BYTES = 1024 * 1024;

/** What the beginning of a journal said; undefined when the file is none, or one that stands within another file. */
export function recovered(file: File): Form | undefined {
  const size = file.size();
  const tag = tagIn(file, Math.min(size, SEARCHED_BYTES));
  if (tag === undefined) return undefined;
  const form = { version: VERSION, tag, isMade: false };
  const records = new Records(file, form);
  const positions = new Set<number | undefined>();
  let isFirst = true;
  for (let at = BEGINNING_BYTES; ; ) {
    const found = records.next(at, size, true);
    if (found === undefined) break;
    const { upon } = found.header;
    // Positions count from the beginning of the file.
    if (found.at === BEGINNING_BYTES || positions.has(upon)) return form;
    if (positions.size === 0 && holdsBeginning(file, found.at, tag)) return undefined;
    // All are upon the first batch, which is damaged too.
    isFirst &&= upon === 0 || upon === BEGINNING_BYTES;
    positions.add(found.at);
    at = found.next;
  }
  return isFirst && positions.size > 0 ? form : undefined;
}

/** Whether a journal with this tag begins within the first bytes. */
function holdsBeginning(file: File, end: number, tag: Uint8Array): boolean {
  const window = new Window(file);
  for (let at = window.find(tag, 0, end); at >= 0; at = window.find(tag, at + 1, end)) {
    const begins = at - TAG_AT;
    if (begins >= 0 && readBeginning(window.read(begins, BEGINNING_BYTES), "") !== undefined) return true;
  }
  return false;
}

/** The tag that the first record begins with. */
function tagIn(file: File, size: number): Uint8Array | undefined {
  const bytes = new Uint8Array(PIECE_BYTES);
  const length = headerBytes({ version: VERSION });
  for (let from = 0; from < size; from += PIECE_BYTES - length) {
    const piece = bytes.subarray(0, file.read(bytes, from));
    let run = 0;
    for (let at = 0; at + length - TAG_BYTES < piece.length; at += 1) {
      run = piece[at]! >= 0x80 ? run + 1 : 0;
      if (run < TAG_BYTES) continue;
      const header = piece.subarray(at + 1 - TAG_BYTES, at + 1 - TAG_BYTES + length);
      // It is soon seen that most are none.
      if (header[9]! > 1 || header[10]! > 1 || header[11] !== 0) continue;
      const tag = header.slice(0, TAG_BYTES);
      if (readHeader({ version: VERSION, tag, isMade: false }, header)) return tag;
    }
  }
  return undefined;
}
