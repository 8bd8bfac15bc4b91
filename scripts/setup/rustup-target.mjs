/** Route A to wasm32-unknown-unknown: the target of rustup's own toolchain. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { ask, run, which } from "../command.mjs";
import { at, root } from "../project.mjs";

const triple = "wasm32-unknown-unknown";
const limitSeconds = 120;

const libraries = () => ask("rustc", ["--print", "target-libdir", "--target", triple], { cwd: root });

/** Whether rustup (if it is what installed Rust) counts the target as installed. */
async function listed() {
  if (!which("rustup")) return true;
  return ((await ask("rustup", ["target", "list", "--installed"], { cwd: root })) ?? "").split("\n").includes(triple);
}

export const rustupTarget = {
  name: "rustup",

  /** How to build with it, or null when the target is not there. */
  async find() {
    const folder = await libraries();
    if (!folder || !existsSync(folder) || !readdirSync(folder).some((name) => name.startsWith("libstd-"))) return null;
    if (!(await listed())) return null;
    const compiler = await ask("rustc", ["-vV"], { cwd: root });
    return { route: "rustup", compiler, triple, cargo: "cargo", flags: [], env: {}, targetFolder: at("target") };
  },

  async install() {
    const folder = await libraries();
    // An installation that was killed leaves files that rustup does not list and refuses to write over.
    if (folder && !(await listed())) rmSync(dirname(folder), { recursive: true, force: true });
    else await ask("rustup", ["target", "remove", triple], { cwd: root });
    await run("rustup", ["target", "add", triple], { cwd: root, limitSeconds });
  },
};
