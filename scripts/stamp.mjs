/** Doing work only when its inputs or its outputs changed, and by one process at a time. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { at } from "./project.mjs";
import { digest } from "./digest.mjs";
import { say } from "./log.mjs";

/** How often it is looked whether another process is done. */
const LOOK_MS = 200;

/**
 * Does `work` unless a finished earlier run had the same `key` and its `outputs` are still what it left. Waits while another process does it.
 *
 * @param {string} name of the step
 * @param {string} key all that decides the result, as a digest
 * @param {string[]} outputs files and folders
 * @param {() => Promise<void>} work
 */
export async function whenChanged(name, key, outputs, work) {
  const stamp = at(".cache", `${name}.stamp`);
  mkdirSync(at(".cache"), { recursive: true });
  const letGo = await alone(name);
  try {
    const current = () => (outputs.every((path) => existsSync(path)) ? digest(outputs, key) : null);
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === current()) {
      say(`${name}: unchanged`);
      return;
    }
    rmSync(stamp, { force: true });
    await work();
    writeFileSync(stamp, current() ?? "");
  } finally {
    letGo();
  }
}

/** Waits until no other process does a step, and keeps others from it until the answer is called. */
async function alone(name) {
  const lock = at(".cache", `${name}.lock`);
  for (let isTold = false; !taken(lock); isTold = true) {
    if (!isTold) say(`${name}: waiting for another process, which ${lock} names`);
    await pause(LOOK_MS);
  }
  return () => rmSync(lock, { force: true });
}

/** Whether a lock is had now. One of a process that ended is let go of. */
function taken(lock) {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  // It is empty until its holder has written its number.
  const holder = holderOf(lock);
  if (holder > 0 && !isRunning(holder)) rmSync(lock, { force: true });
  return false;
}

/** The number of the process that has a lock; 0 when none is known. */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch (error) {
    // It was let go of meanwhile.
    if (error.code !== "ENOENT") throw error;
    return 0;
  }
}

function isRunning(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error.code !== "ESRCH";
  }
}
