/** wasm-bindgen's command line tool and test runner, of the very version the crate pins. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ask, run, which } from "../command.mjs";
import { bindgenVersion, machineCache } from "../project.mjs";

const names = ["wasm-bindgen", "wasm-bindgen-test-runner"];

/** The paths of both programs, or null when they are not there in the pinned version. */
export async function bindgenPrograms() {
  const version = await bindgenVersion();
  const onPath = which(names[0]);
  const folders = [join(machineCache, `wasm-bindgen-${version}`, "bin"), onPath && dirname(onPath)];
  for (const folder of folders.filter((folder) => folder && existsSync(folder))) {
    const [tool, runner] = names.map((name) => join(folder, name));
    const versions = await Promise.all([tool, runner].map((path) => ask(path, ["--version"])));
    if (versions.every((text) => text?.split(" ")[1] === version)) return { version, tool, runner };
  }
  return null;
}

export const bindgen = {
  name: "wasm-bindgen",

  async find() {
    const programs = await bindgenPrograms();
    return programs && `${programs.version}, ${programs.tool}`;
  },

  /** Some minutes, once per machine. An interrupted build is continued from its kept objects. */
  async install() {
    const version = await bindgenVersion();
    const objects = join(machineCache, `wasm-bindgen-${version}-objects`);
    mkdirSync(objects, { recursive: true });
    const where = ["--root", join(machineCache, `wasm-bindgen-${version}`), "--target-dir", objects, "--force"];
    await run("cargo", ["install", "wasm-bindgen-cli", "--version", version, "--locked", ...where], {
      cwd: machineCache,
      env: { CARGO_TARGET_DIR: undefined, CARGO_BUILD_TARGET: undefined, RUSTFLAGS: undefined },
    });
    rmSync(objects, { recursive: true, force: true });
  },
};
