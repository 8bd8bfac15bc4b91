/** How files and folders are shown to a model. */
import type { DocumentEntry } from "../documents.js";

/** How deep a folder is shown. */
const LEVELS = 2;
const LINE_NUMBER_WIDTH = 6;
/** What the JSON of a file has beside its text. */
const FRAME_BYTES = JSON.stringify({ text: "" }).length;

/** Lines with their numbers. */
export function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(index + first).padStart(LINE_NUMBER_WIDTH)}\t${line}`).join("\n");
}

/** What is in a folder; a folder is as large as the files in it. */
export function listing(path: string, place: string, files: readonly DocumentEntry[]): string {
  const sizes = new Map<string, number>();
  let all = 0;
  for (const { key, bytes } of files) {
    const size = Math.max(0, bytes - FRAME_BYTES);
    all += size;
    const names = key.slice(place === "" ? 0 : place.length + 1).split("/");
    if (names.slice(0, LEVELS).some((name) => name.startsWith(".") || name === "node_modules")) continue;
    for (let level = 1; level <= Math.min(names.length, LEVELS); level += 1) {
      const shown = names.slice(0, level).join("/") + (level < names.length ? "/" : "");
      sizes.set(shown, (sizes.get(shown) ?? 0) + size);
    }
  }
  const shown = path.replace(/\/+$/, "");
  const lines = [...sizes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, size]) => `${sizeText(size)}\t${shown}/${name}`);
  const header = `Here're the files and directories up to ${LEVELS} levels deep in ${path}, excluding hidden items and node_modules:`;
  return [header, `${sizeText(all)}\t${path}`, ...lines].join("\n");
}

function sizeText(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(3, Math.floor(Math.log(bytes) / Math.log(1024)));
  const size = bytes / 1024 ** power;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${"BKMG"[power]}`;
}
