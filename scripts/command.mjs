/** Running other programs. */
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { progress } from "./log.mjs";

/** A program that ended badly. */
export class CommandFailed extends Error {
  constructor(program, args, ending, output) {
    super(`${[program, ...args].join(" ")}: ${ending}`);
    this.name = "CommandFailed";
    /** What it printed, standard error included. */
    this.output = output;
  }
}

const running = new Set();

/** Ends every program that still runs. */
export function stopAll() {
  for (const child of running) child.kill("SIGTERM");
}

const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
for (const [signal, number] of Object.entries(signals)) {
  process.once(signal, () => {
    stopAll();
    process.exit(128 + number);
  });
}

/**
 * Runs a program to its end and answers its standard output. Everything it prints is shown meanwhile.
 *
 * @param {string} program name on PATH, or a path
 * @param {string[]} args
 * @param {{cwd?: string, env?: Record<string, string | undefined>, quiet?: boolean, label?: string, limitSeconds?: number}} options
 *   `env` is laid over the environment (undefined removes a name); `quiet` shows nothing; `label` stands before each line, for
 *   what runs side by side; past `limitSeconds` it is ended.
 * @returns {Promise<string>}
 * @throws {CommandFailed} when it cannot be started, ends with another code than 0, or is out of time
 */
export function run(program, args, { cwd, env = {}, quiet = false, label, limitSeconds } = {}) {
  return new Promise((resolve, reject) => {
    const environment = Object.fromEntries(
      Object.entries({ ...process.env, ...env }).filter(([, value]) => value !== undefined),
    );
    const child = spawn(program, args, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    let standard = "";
    let output = "";
    let late = false;
    const timers = [];
    if (limitSeconds !== undefined) {
      const stop = () => {
        late = true;
        child.kill("SIGTERM");
      };
      timers.push(setTimeout(stop, limitSeconds * 1000));
      timers.push(setTimeout(() => child.kill("SIGKILL"), limitSeconds * 1000 + 5000));
    }
    for (const stream of [child.stdout, child.stderr]) {
      const show = label === undefined ? (text) => progress.write(text) : labelled(label);
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        output += text;
        if (stream === child.stdout) standard += text;
        if (!quiet) show(text);
      });
      stream.on("end", () => quiet || show("", true));
    }
    const end = (ending) => {
      timers.forEach(clearTimeout);
      running.delete(child);
      if (ending === undefined) resolve(standard);
      else reject(new CommandFailed(program, args, ending, output));
    };
    child.once("error", (error) => end(error.code === "ENOENT" ? "not found" : error.message));
    child.once("close", (code, signal) => {
      if (late) end(`not done after ${limitSeconds} s`);
      else end(code === 0 ? undefined : (signal ?? `ended with code ${code}`));
    });
  });
}

/** Writes whole lines, each behind its label. */
function labelled(label) {
  let rest = "";
  return (text, isEnd = false) => {
    const lines = (rest + text).split("\n");
    rest = isEnd ? "" : lines.pop();
    for (const line of lines) if (!isEnd || line !== "") progress.write(`${label} | ${line}\n`);
  };
}

/** What a program prints, trimmed; null when it cannot be run or fails. */
export async function ask(program, args, options) {
  try {
    return (await run(program, args, { ...options, quiet: true })).trim();
  } catch (error) {
    if (error instanceof CommandFailed) return null;
    throw error;
  }
}

/** The path of the program of this name on PATH (or at this absolute path), or null. */
export function which(name) {
  const folders = isAbsolute(name) ? ["/"] : (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  for (const folder of folders) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not in this folder; the next one may have it.
    }
  }
  return null;
}
