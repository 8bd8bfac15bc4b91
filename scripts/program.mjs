/** The frame of a script that can be run and imported. */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CommandFailed, stopAll } from "./command.mjs";
import { Missing } from "./missing.mjs";

/** A failure the reader can act on; it is shown without a stack. */
export class Failure extends Error {}

/** What to show of a failure: its stack only where it is a fault of the scripts. */
export function explain(error) {
  return [CommandFailed, Failure, Missing].some((kind) => error instanceof kind) ? error.message : error.stack;
}

/** Runs `work` when the module at `url` is the program itself, and turns its failures into an exit code. */
export async function program(url, work) {
  if (process.argv[1] === undefined || realpathSync(process.argv[1]) !== fileURLToPath(url)) return;
  try {
    await work();
  } catch (error) {
    stopAll();
    process.stderr.write(`\n${explain(error)}\n`);
    process.exitCode = 1;
  }
}
