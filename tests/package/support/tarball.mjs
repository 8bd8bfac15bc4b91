/** The packed package, as `npm run build` leaves it. */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** The root of the repository. */
export const root = resolve(import.meta.dirname, "../../..");

/** The path of the tarball; throws with the cure when there is none. */
export function tarball() {
  const folder = join(root, "artifacts");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^mnemic-.*\.tgz$/.test(name)) : [];
  if (names.length === 1) return join(folder, names[0]);
  throw new Error(
    names.length === 0
      ? "there is no artifacts/mnemic-*.tgz; run: npm run build"
      : `there are ${names.length} tarballs in artifacts/; delete the old ones`,
  );
}
