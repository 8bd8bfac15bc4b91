/** Node, kept in a file or in SQLite: a process for every step. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { nodeWithSqlite } from "../../../../scripts/setup/sqlite-node.mjs";

const execute = promisify(execFile);

/** @param {"file" | "sqlite"} storage */
export async function node(storage) {
  const program = nodeWithSqlite();
  const { stdout: version } = await execute(program, ["--version"]);
  const folder = await mkdtemp(join(tmpdir(), "mnemic-bench-"));
  return {
    name: `Node ${version.trim().slice(1)}, ${storage === "file" ? "a file" : "SQLite"}`,
    async run(step) {
      const { stdout } = await execute(program, [join(import.meta.dirname, "process.mjs"), folder, JSON.stringify(step), storage]);
      return JSON.parse(stdout);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
