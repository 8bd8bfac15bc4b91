/** The apps of this folder, with the package from its tarball between their packages. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { tarball } from "../../package/support/tarball.mjs";

/** The folder with all apps, which is one project of npm. */
export const project = resolve(import.meta.dirname, "..");

/** The folder of an app, or a path in it. */
export const at = (...parts) => join(project, ...parts);

const execute = promisify(execFile);

/** Puts the tarball between the packages of these apps. */
export const installPackage = () => installInto(project);

/** Puts the tarball between the packages of a project, where npm would: it has no dependencies and no scripts. */
export async function installInto(into) {
  const packages = join(into, "node_modules");
  if (!existsSync(packages)) throw new Error(`there are no ${packages}; npm test -- --only bundlers installs them`);
  const folder = join(packages, "mnemic");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await execute("tar", ["-xzf", tarball(), "--strip-components=1", "-C", folder]);
}

/** Removes what an app's tool made before. */
export function clean(app, ...folders) {
  for (const folder of ["dist", ...folders]) rmSync(at(app, folder), { recursive: true, force: true });
}

/** What the tools are not to do: speak to their makers, colour their output. */
const QUIET = { CI: "1", NO_COLOR: "1", FORCE_COLOR: undefined, NEXT_TELEMETRY_DISABLED: "1", WRANGLER_SEND_METRICS: "false", NODE_ENV: undefined };

/** The environment of the tools. */
export const environment = { ...process.env, ...QUIET };

/** Runs a program in an app's folder to its end; answers what it printed, and on failure throws with all of it. */
export async function run(app, program, args, { cwd = at(app), env = {} } = {}) {
  try {
    const options = { cwd, env: { ...environment, ...env }, maxBuffer: 64 * 1024 * 1024, timeout: 300_000 };
    return (await execute(program, args, options)).stdout;
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")} failed in ${app}: ${error.message}\n${error.stdout}\n${error.stderr}`, { cause: error });
  }
}

/** Runs the command-line tool of one of an app's packages with Node. */
export function tool(app, script, args, options) {
  return run(app, process.execPath, [scriptOf(app, script), ...args], options);
}

/** The path of a script in one of an app's packages. */
export function scriptOf(app, script) {
  const path = [at(app, "node_modules", script), at("node_modules", script)].find(existsSync);
  if (path === undefined) throw new Error(`${script} is not installed`);
  return path;
}

/**
 * Runs a server with Node while `use` is under way.
 *
 * @param {string[]} args the script and its arguments
 * @param {{cwd: string, env?: Record<string, string>}} options
 * @param {RegExp} listening what it prints when it listens; its first group is the address
 * @param {(url: string) => Promise<void>} use
 */
export async function withServer(args, { cwd, env = {} }, listening, use) {
  // It is the leader of a group: some tools leave what they started.
  const child = spawn(process.execPath, args, { cwd, env: { ...environment, ...env }, detached: true });
  const ended = once(child, "close");
  try {
    let output = "";
    const url = await new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text) => {
          output += text;
          const match = listening.exec(output);
          if (match) resolve(match[1]);
        });
      }
      child.once("close", () => reject(new Error(`${args[0]} ended before it listened:\n${output}`)));
    });
    await use(url);
  } finally {
    if (child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    await ended;
  }
}
