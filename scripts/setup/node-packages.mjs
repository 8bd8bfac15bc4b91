/** The packages of a package.json, as its lock file (if it has one) names them, and with no install scripts. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, which } from "../command.mjs";
import { digest } from "../digest.mjs";
import { Missing } from "../missing.mjs";
import { root } from "../project.mjs";

const oldestNode = [20, 11];

// Written last, inside the folder it vouches for: an interrupted installation has none.
const stampOf = (folder) => join(folder, "node_modules/.complete");
const keyOf = (folder) => digest([join(folder, "package.json"), join(folder, "package-lock.json")], process.version);

/** Whether the packages of `folder` are those of its manifest and lock. */
export function nodePackagesComplete(folder) {
  const stamp = stampOf(folder);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === keyOf(folder);
}

/** Installs the packages of `folder`. */
export async function installNodePackages(folder) {
  if (!which("npm")) throw new Missing("npm", "install it with node 20, for instance: apt-get install npm");
  rmSync(stampOf(folder), { force: true });
  const command = existsSync(join(folder, "package-lock.json")) ? ["ci"] : ["install", "--no-save"];
  await run("npm", [...command, "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
  writeFileSync(stampOf(folder), keyOf(folder));
}

export const nodePackages = {
  name: "node packages",

  async find() {
    const [major, minor] = process.versions.node.split(".").map(Number);
    if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
      throw new Missing(`node ${oldestNode.join(".")} or newer (found ${process.version})`, "install a newer node");
    }
    return nodePackagesComplete(root) ? `complete, node ${process.version}` : null;
  },

  install: () => installNodePackages(root),
};
