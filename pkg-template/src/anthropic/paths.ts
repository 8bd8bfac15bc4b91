/** Paths of files, as a model writes them. */
import { shown } from "../plain.js";

/** The folder that holds everything. */
const ROOT = "/memories";

/**
 * What a path leads to, as the names under the folder of memories joined by slashes; empty for that folder itself.
 *
 * @throws Error when it leads elsewhere, or would not stay in one line of a listing.
 */
export function placeOf(path: unknown): string {
  if (typeof path !== "string") throw new Error(`The path is ${shown(path)}; it must be a text that starts with ${ROOT}`);
  if (path !== ROOT && !path.startsWith(`${ROOT}/`)) throw new Error(`Path must start with ${ROOT}, got: ${path}`);
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path)) throw new Error(`The path ${shown(path)} has control characters, such as line breaks`);
  const names: string[] = [];
  for (const name of path.slice(ROOT.length).split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) throw new Error(`Path ${path} would escape ${ROOT} directory`);
  }
  return names.join("/");
}

/** The folders that a file is in, the outermost first. */
export function foldersOf(place: string): string[] {
  const names = place.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
