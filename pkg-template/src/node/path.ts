/** The paths of files. */
import { isWellFormed, refused, shown } from "../plain.js";

/** @throws InvalidInputError for what names no file, or would name another: systems write all halves of surrogate pairs alike. */
export function checkPath(path: unknown): asserts path is string {
  const cure = "pass the name of a file";
  if (typeof path !== "string" || path === "") throw refused("path", shown(path), cure);
  if (path.includes("\0")) throw refused("path", "a null character", cure);
  if (!isWellFormed(path)) throw refused("path", "half of a surrogate pair", cure);
}
