/** Debian's package manager. */
import { ask, CommandFailed, run, which } from "../command.mjs";
import { say } from "../log.mjs";
import { Missing } from "../missing.mjs";

const environment = { DEBIAN_FRONTEND: "noninteractive" };
const options = ["-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"];

/** Those of `names` that are not fully installed, an unfinished installation included. */
export async function notInstalled(names) {
  const listed = await listing(names);
  return names.filter((name) => listed.get(name) !== "ii");
}

/** Those of `names` whose installation was begun and never finished. */
export async function unfinished(names) {
  const listed = await listing(names);
  return names.filter((name) => listed.has(name) && !["ii", "un", "rc"].includes(listed.get(name)));
}

async function listing(names) {
  // dpkg-query fails when one name is unknown to it, and still lists the others.
  let text;
  try {
    text = await run("dpkg-query", ["-W", "-f", "${binary:Package} ${db:Status-Abbrev}\n", ...names], { quiet: true });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    text = error.output;
  }
  const rows = text.matchAll(/^([\w.+-]+)(?::\w+)? ([a-z][a-zA-Z]) ?$/gm);
  return new Map(Array.from(rows, ([, name, status]) => [name, status]));
}

let before = Promise.resolve();

/** Installs packages; `purpose` says what for. One installation waits for another, since each locks the lists of packages. */
export function aptInstall(names, purpose) {
  const done = before.then(() => install(names, purpose));
  before = done.catch(() => {});
  return done;
}

async function install(names, purpose) {
  const byHand = `as root: apt-get update && apt-get install -y --no-install-recommends ${names.join(" ")}`;
  const missing = new Missing(`${purpose} (Debian packages ${names.join(", ")})`, byHand);
  if (!which("apt-get")) throw missing;
  const isRoot = process.getuid() === 0;
  if (!isRoot && (await ask("sudo", ["-n", "true"])) === null) throw missing;
  const asRoot = (program, ...args) =>
    isRoot
      ? run(program, args, { env: environment, label: "apt" })
      : run("sudo", ["-n", "env", "DEBIAN_FRONTEND=noninteractive", program, ...args], { label: "apt" });
  const attempt = () => asRoot("apt-get", "install", ...options, ...names);
  try {
    await attempt();
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    say("  the package lists may be missing or old, or an earlier installation was interrupted; mending, then once more");
    try {
      await asRoot("dpkg", "--configure", "-a");
      await asRoot("apt-get", "update");
      await attempt();
    } catch (again) {
      if (!(again instanceof CommandFailed)) throw again;
      throw missing;
    }
  }
}
