/** The names of memories. */
import { refused, shown } from "./plain.js";

/** @throws InvalidInputError when it cannot be the name of a memory. */
export function checkName(name: unknown, path: string): void {
  if (typeof name === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(name)) return;
  throw refused(path, shown(name), "pass 1 to 64 of A-Z a-z 0-9 . _ -");
}
