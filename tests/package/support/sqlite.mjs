/** Programs of a project that need SQLite, run in a Node that has it. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { nodeWithSqlite } from "../../../scripts/setup/sqlite-node.mjs";

const execute = promisify(execFile);

/** Where SQLite comes from, as arguments of Node: with the last, from the package better-sqlite3. */
export const BINDINGS = { "node:sqlite": ["--disable-warning=ExperimentalWarning"], "better-sqlite3": ["--no-experimental-sqlite"] };

/** Runs a file of a project and answers what it printed; fails when it does not end by itself. */
export async function runWithSqlite(project, path, flags = BINDINGS["node:sqlite"], ...args) {
  const { stdout } = await execute(nodeWithSqlite(), [...flags, path, ...args], { cwd: project.folder, timeout: 120_000 });
  return stdout;
}

/** Runs a program in a project and answers what it printed as JSON. */
export async function ask(project, source, flags, ...args) {
  const path = await project.write(`program-${Math.random().toString(36).slice(2)}.mjs`, source);
  return JSON.parse(await runWithSqlite(project, path, flags, ...args));
}
