/** Files of a model: what each command does and says, as the memory tool of Anthropic's SDK for files of a disk does and says it. */
import type { Document, DocumentEntry, DocumentOperation, PutOptions } from "../documents.js";
import { ConflictError } from "../errors.js";
import { shown } from "../plain.js";
import { listing, numbered } from "./listing.js";
import type { FileUser } from "./memory-tool.js";
import { foldersOf, placeOf } from "./paths.js";

/** A command of the memory tool. */
export type FileCommand =
  | { readonly command: "view"; readonly path: string; readonly view_range?: readonly number[] | undefined }
  | { readonly command: "create"; readonly path: string; readonly file_text: string }
  | { readonly command: "str_replace"; readonly path: string; readonly old_str: string; readonly new_str: string }
  | { readonly command: "insert"; readonly path: string; readonly insert_line: number; readonly insert_text: string }
  | { readonly command: "delete"; readonly path: string }
  | { readonly command: "rename"; readonly old_path: string; readonly new_path: string };

/** How many files are listed or moved at once. */
const BATCH = 1000;
/** How many bytes of files are moved at once, unless it is one: a commit has room for 24 MiB, with the words that are searched. */
const BATCH_BYTES = 6 * 1024 * 1024;
/** Where it is noted which folder is being renamed, when that takes several commits. */
const NOTE = { label: "unfinished", key: "rename" };
/** The most lines that are shown. */
const MAX_LINES = 999_999;
/** The most lines that are told to have the same text. */
const MAX_TOLD = 20;
/** How many lines around a change are shown. */
const AROUND = 2;

/** The files of one user. */
export class Files {
  readonly #documents: FileUser["documents"];
  readonly #namespace: readonly string[];
  /** Whether no rename is known that was begun and not finished. */
  #isWhole = false;

  constructor(documents: FileUser["documents"], namespace: readonly string[]) {
    this.#documents = documents;
    this.#namespace = namespace;
  }

  /** Carries out a command. @throws Error with what to tell the model. */
  async carryOut(command: FileCommand): Promise<string> {
    if (!this.#isWhole) await this.#finish();
    this.#isWhole = true;
    switch (command?.command) {
      case "view":
        return this.#view(command.path, command.view_range);
      case "create":
        return this.#create(command.path, textOf(command.file_text, "file_text"));
      case "str_replace":
        return this.#replace(command.path, textOf(command.old_str, "old_str"), textOf(command.new_str ?? "", "new_str"));
      case "insert":
        return this.#insert(command.path, command.insert_line, textOf(command.insert_text, "insert_text"));
      case "delete":
        return this.#delete(command.path);
      case "rename":
        return this.#rename(command.old_path, command.new_path);
      default:
        throw new Error(`${shown(Object(command) === command ? (command as { command?: unknown }).command : command)} not implemented`);
    }
  }

  async #view(path: string, range: readonly number[] | undefined): Promise<string> {
    const place = placeOf(path);
    const file = await this.#find(place);
    if (file === undefined) {
      const files = await this.#in(place);
      if (files.length === 0 && place !== "") throw missing(path);
      return listing(path, place, files);
    }
    const lines = file.text.split("\n");
    if (lines.length > MAX_LINES) throw new Error(`File ${path} has too many lines (${lines.length}). Maximum is ${MAX_LINES.toLocaleString("en")} lines.`);
    const [first = 1, last = -1] = range?.length === 2 ? range : [];
    if (!Number.isInteger(first) || !Number.isInteger(last)) throw new Error("Invalid `view_range` parameter: pass two whole numbers, the first line and the last one; -1 is the end");
    const start = Math.max(1, first) - 1;
    const seen = lines.slice(start, last === -1 ? lines.length : last);
    return `Here's the content of ${path} with line numbers:\n${numbered(seen, start + 1)}`;
  }

  async #create(path: string, text: string): Promise<string> {
    const place = placeOf(path);
    const taken = `File ${path} already exists`;
    await this.#free(path, place, taken);
    await this.#put(place, text, { ifAbsent: true }, taken);
    return `File created successfully at: ${path}`;
  }

  async #replace(path: string, old: string, text: string): Promise<string> {
    const place = placeOf(path);
    const { text: content, revision } = await this.#read(path, place);
    if (old === "") throw new Error("No replacement was performed, old_str is empty. Use insert to add text.");
    const at = content.indexOf(old);
    if (at === -1) throw new Error(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`);
    if (content.includes(old, at + 1)) {
      const found = linesOf(content, old);
      const lines = [...found.slice(0, MAX_TOLD), ...(found.length > MAX_TOLD ? ["..."] : [])].join(", ");
      throw new Error(`No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${lines}. Please ensure it is unique`);
    }
    const changed = content.slice(0, at) + text + content.slice(at + old.length);
    await this.#put(place, changed, { ifRevision: revision }, changedMeanwhile(path));
    const line = content.slice(0, at).split("\n").length - 1;
    const start = Math.max(0, line - AROUND);
    const around = changed.split("\n").slice(start, line + AROUND + 1);
    return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${numbered(around, start + 1)}`;
  }

  async #insert(path: string, line: number, text: string): Promise<string> {
    const place = placeOf(path);
    const { text: content, revision } = await this.#read(path, place);
    const lines = content.split("\n");
    if (!Number.isInteger(line) || line < 0 || line > lines.length) {
      throw new Error(`Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`);
    }
    lines.splice(line, 0, text.replace(/\n$/, ""));
    await this.#put(place, lines.join("\n"), { ifRevision: revision }, changedMeanwhile(path));
    return `The file ${path} has been edited.`;
  }

  async #delete(path: string): Promise<string> {
    const place = placeOf(path);
    if (place === "") throw new Error("Cannot delete the /memories directory itself");
    const [file, folder] = await this.#documents.batch([
      { op: "delete", namespace: this.#namespace, key: place },
      { op: "deleteAll", prefix: this.#namespace, ...within(place) },
    ]);
    if (file === null && folder.deleted === 0) throw new Error(`The path ${path} does not exist`);
    return `Successfully deleted ${path}`;
  }

  async #rename(path: string, newPath: string): Promise<string> {
    const [place, target] = [placeOf(path), placeOf(newPath)];
    if (place === "") throw new Error("Cannot rename the /memories directory itself");
    const taken = `The destination ${newPath} already exists`;
    await this.#free(newPath, target, taken);
    const isFile = (await this.#find(place)) !== undefined;
    const files = isFile ? [{ key: place, bytes: 0 }] : await this.#in(place);
    if (files.length === 0) throw new Error(`The path ${path} does not exist`);
    if (target.startsWith(`${place}/`)) throw new Error(`Cannot move ${path} into itself`);
    await orTell(taken, this.#move(files, place, target));
    return `Successfully renamed ${path} to ${newPath}`;
  }

  /** Moves files from a folder to another: in one commit, or so that the next tool finishes what a crash interrupts. */
  async #move(files: ReadonlyArray<Pick<DocumentEntry, "key" | "bytes">>, place: string, target: string): Promise<void> {
    const note = { namespace: [...this.#namespace, NOTE.label], key: NOTE.key };
    const batches = batchesOf(files);
    this.#isWhole = batches.length === 1;
    for (const [index, batch] of batches.entries()) {
      const moves = batch.map(({ key }): DocumentOperation => ({ op: "move", namespace: this.#namespace, key, toKey: target + key.slice(place.length) }));
      if (batches.length > 1 && index === 0) moves.push({ op: "put", ...note, value: { place, target }, index: false, ttlMs: false });
      if (index > 0 && index === batches.length - 1) moves.push({ op: "delete", ...note });
      await this.#documents.batch(moves);
    }
    this.#isWhole = true;
  }

  /** Finishes renaming a folder, if that was interrupted. What is where a file should go meanwhile stays, and so does the file. */
  async #finish(): Promise<void> {
    const namespace = [...this.#namespace, NOTE.label];
    const found: Document | null = await this.#documents.get(namespace, NOTE.key);
    const { place, target } = found?.value ?? {};
    if (typeof place !== "string" || typeof target !== "string") return;
    try {
      await this.#move(await this.#in(place), place, target);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
    await this.#documents.batch([{ op: "delete", namespace, key: NOTE.key }]);
  }

  /** A file; undefined when there is none. */
  async #find(place: string): Promise<{ text: string; revision: number } | undefined> {
    const found: Document | null = place === "" ? null : await this.#documents.get(this.#namespace, place);
    const text = found?.value["text"];
    return found !== null && typeof text === "string" ? { text, revision: found.revision } : undefined;
  }

  /** @throws Error when there is no such file. */
  async #read(path: string, place: string): Promise<{ text: string; revision: number }> {
    const file = await this.#find(place);
    if (file !== undefined) return file;
    if (await this.#isFolder(place)) throw new Error(`The path ${path} is not a file.`);
    throw missing(path);
  }

  /** @throws Error when there is something already, or a file where a folder must be. */
  async #free(path: string, place: string, taken: string): Promise<void> {
    if ((await this.#find(place)) !== undefined || (await this.#isFolder(place))) throw new Error(taken);
    for (const folder of foldersOf(place)) {
      if ((await this.#find(folder)) !== undefined) throw new Error(`Cannot create ${path}: /memories/${folder} is a file, not a directory`);
    }
  }

  /** Writes a file if the condition holds. @throws Error with `otherwise` if not. */
  async #put(place: string, text: string, condition: PutOptions, otherwise: string): Promise<void> {
    await orTell(otherwise, this.#documents.put(this.#namespace, place, { text }, { index: ["text"], ttlMs: false, ...condition }));
  }

  async #isFolder(place: string): Promise<boolean> {
    return place === "" || (await this.#documents.list(this.#namespace, { ...within(place), limit: 1 })).length > 0;
  }

  /** The files of a folder, in the order of their paths. */
  async #in(place: string): Promise<DocumentEntry[]> {
    const found: DocumentEntry[] = [];
    for (let after: string | undefined; ; after = found.at(-1)?.key) {
      const files = await this.#documents.list(this.#namespace, { ...within(place), orderBy: "key", after, limit: BATCH });
      found.push(...files);
      if (files.length < BATCH) return found;
    }
  }
}

/** Files in parts that a commit has room for, with one operation more. */
function batchesOf<File extends Pick<DocumentEntry, "bytes">>(files: readonly File[]): File[][] {
  const batches: File[][] = [];
  let bytes = 0;
  for (const file of files) {
    const last = batches.at(-1);
    bytes += file.bytes;
    if (last !== undefined && last.length < BATCH - 1 && bytes <= BATCH_BYTES) last.push(file);
    else {
      batches.push([file]);
      bytes = file.bytes;
    }
  }
  return batches;
}

/** Selects what is in a folder. */
function within(place: string): { depth: number; keyPrefix: string } {
  return { depth: 0, keyPrefix: place === "" ? "" : `${place}/` };
}

/** Waits for a change. @throws Error with this when the files are no longer what it was for. */
async function orTell(otherwise: string, change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (error instanceof ConflictError) throw new Error(otherwise);
    throw error;
  }
}

function changedMeanwhile(path: string): string {
  return `The file ${path} was changed meanwhile, and nothing was written. View it again.`;
}

function missing(path: string): Error {
  return new Error(`The path ${path} does not exist. Please provide a valid path.`);
}

function textOf(text: unknown, name: string): string {
  if (typeof text !== "string") throw new Error(`${name} is ${shown(text)}; it must be a text`);
  return text;
}

/** The lines in which a text begins, from 1: each once, and no more of them than are told and one. */
function linesOf(content: string, text: string): number[] {
  const found: number[] = [];
  let line = 1;
  let end = content.indexOf("\n");
  for (let at = content.indexOf(text); at !== -1 && found.length <= MAX_TOLD; at = content.indexOf(text, end + 1)) {
    for (; end !== -1 && end < at; end = content.indexOf("\n", end + 1)) line += 1;
    found.push(line);
    if (end === -1) break;
  }
  return found;
}
