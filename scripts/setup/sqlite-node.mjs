/** A Node that brings SQLite along, for tests of what needs it: this one, or else a newer one from npm. */
import { existsSync } from "node:fs";
import { ask, run } from "../command.mjs";
import { Missing } from "../missing.mjs";
import { at } from "../project.mjs";

const NEWER = "24.21.0";
const folder = at(".cache/sqlite-node");
const newer = at(`.cache/sqlite-node/node_modules/node-${process.platform}-${process.arch}/bin/node`);

const bringsSqlite = () => process.getBuiltinModule?.("node:sqlite") !== undefined;

/**
 * The path of a Node with SQLite.
 *
 * @throws {Missing} when the set-up has not been run.
 */
export function nodeWithSqlite() {
  if (bringsSqlite()) return process.execPath;
  if (existsSync(newer)) return newer;
  throw new Missing("a Node with SQLite", "run: npm run setup");
}

export const sqliteNode = {
  name: "node with SQLite",
  expected: "10 s",

  async find() {
    if (bringsSqlite()) return process.version;
    return existsSync(newer) ? (await ask(newer, ["--version"])) : null;
  },

  async install() {
    if (process.platform !== "linux") throw new Missing("a Node with SQLite", "run this with Node 24 or newer");
    const packages = [`node-${process.platform}-${process.arch}@${NEWER}`];
    await run("npm", ["install", "--prefix", folder, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], { label: "npm" });
  },
};
