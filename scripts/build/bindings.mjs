/** The JavaScript side of a module, made by the small program in scripts/bindings. */
import { run } from "../command.mjs";
import { at, root } from "../project.mjs";

const profile = "bindings";
const program = at("target", profile, "mnemic-bindings");

/** Compiles the program, unless cargo finds it unchanged. */
export async function compileBindings() {
  await run("cargo", ["build", "--locked", "--package", "mnemic-bindings", "--profile", profile, "--target-dir", at("target")], {
    cwd: root,
    label: "bindings",
    env: { CARGO_BUILD_TARGET: undefined, RUSTFLAGS: undefined, CARGO_ENCODED_RUSTFLAGS: undefined },
  });
}

/** Writes `name`.js and `name`_bg.wasm into `folder`, from a module as rustc leaves it. */
export async function makeBindings(module, folder, name) {
  await run(program, [module, folder, name]);
}
