/** What files contain, as one short text; it changes when any of them does. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./project.mjs";

const ignored = new Set(["node_modules", "dist", ".git"]);

/** All files at or under `path`, in a fixed order; nothing when it does not exist. */
export function filesIn(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !ignored.has(name))
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

/** The digest of the names and contents of all files at or under `paths`, and of what else decides; the same in every clone. */
export function digest(paths, ...others) {
  const hash = createHash("sha256").update(JSON.stringify(others));
  for (const file of paths.flatMap(filesIn)) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
