/** Doing work only when its inputs or its outputs changed. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { at } from "./project.mjs";
import { digest } from "./digest.mjs";
import { say } from "./log.mjs";

/**
 * Does `work` unless a finished earlier run had the same `key` and its `outputs` are still what it left.
 *
 * @param {string} name of the step
 * @param {string} key all that decides the result, as a digest
 * @param {string[]} outputs files and folders
 * @param {() => Promise<void>} work
 */
export async function whenChanged(name, key, outputs, work) {
  const stamp = at(".cache", `${name}.stamp`);
  const current = () => (outputs.every((path) => existsSync(path)) ? digest(outputs, key) : null);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === current()) {
    say(`${name}: unchanged`);
    return;
  }
  rmSync(stamp, { force: true });
  await work();
  mkdirSync(at(".cache"), { recursive: true });
  writeFileSync(stamp, current() ?? "");
}
