/** Files on their way out of the page: downloads, and a folder of the user's where the browser lets pages write one. */
import type { ReadableFile } from "../../backup/files.js";

/** What Chromium has beside the library of types. */
interface Pickers {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
  showDirectoryPicker?(options: { mode: "readwrite" }): Promise<FileSystemDirectoryHandle>;
}

export const pickers = globalThis as typeof globalThis & Pickers;

/** Whether the user gave up choosing a file, which is no failure. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Such as `mnemic-2026-11-22.mnemic`, in the user's own day. */
export function dated(name: string, ending: string): string {
  const now = new Date();
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${name}-${now.getFullYear()}-${month}-${day}.${ending}`;
}

export function download(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads it in its own time.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Writes files into a folder, with the folders that their paths name; answers how many. */
export async function writeInto(folder: FileSystemDirectoryHandle, files: AsyncIterable<ReadableFile>): Promise<number> {
  let count = 0;
  for await (const { path, text } of files) {
    const names = path.split("/");
    const name = names.pop() ?? path;
    let place = folder;
    for (const each of names) place = await place.getDirectoryHandle(each, { create: true });
    const writable = await (await place.getFileHandle(name, { create: true })).createWritable();
    await writable.write(text);
    await writable.close();
    count += 1;
  }
  return count;
}

/** All files as one text, each under its path. */
export async function asOneText(files: AsyncIterable<ReadableFile>): Promise<{ text: string; count: number }> {
  const parts: string[] = [];
  for await (const { path, text } of files) parts.push(`===== ${path} =====\n\n${text}`);
  return { text: parts.join("\n"), count: parts.length };
}
