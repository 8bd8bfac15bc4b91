/** The WebAssembly module and its glue: cargo, its bindings, wasm-opt, and the order of its functions. */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "../command.mjs";
import { digest } from "../digest.mjs";
import { say } from "../log.mjs";
import { Missing } from "../missing.mjs";
import { at, crate, root, settings } from "../project.mjs";
import { wasmCompiler } from "../setup/wasm-target.mjs";
import { whenChanged } from "../stamp.mjs";
import { compileBindings, makeBindings } from "./bindings.mjs";
import { nameByOrder } from "./order.mjs";

/** Where the module and its glue are put. */
export const wasmFolder = at(".cache/wasm");

/** The names of the two files of the module. */
export const glueFile = `${settings.output.name}.js`;
export const moduleFile = `${settings.output.name}_bg.wasm`;

// Not Debian's: up to version 109 it exports the wrong table, and the module cannot be started.
const optimizer = at("node_modules/binaryen/bin/wasm-opt");

/** Runs cargo for wasm32-unknown-unknown, by the route the set-up found. */
export async function wasmCargo(command, args, { env = {}, afterDashes = [], label } = {}) {
  const compiler = await wasmCompiler();
  if (compiler === null) throw new Missing("the wasm32-unknown-unknown target", "npm run setup");
  await crate();
  const target = ["--locked", "--target", compiler.triple, "--target-dir", compiler.targetFolder];
  return run(compiler.cargo, [command, ...compiler.flags, ...target, ...args, ...afterDashes], {
    cwd: root,
    label,
    // The flags are those of .cargo/config.toml; one of these variables would replace them.
    env: { RUSTFLAGS: undefined, CARGO_ENCODED_RUSTFLAGS: undefined, ...compiler.env, ...env },
  });
}

/** Keeps this machine's folders out of the module: panics name their source files. */
function pathsOfThisMachine(triple) {
  const registry = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry/src");
  const registries = existsSync(registry) ? readdirSync(registry).map((name) => join(registry, name)) : [];
  const flags = [...registries, root].map((folder) => `--remap-path-prefix=${folder}/=`);
  return ["--config", `target.${triple}.rustflags=${JSON.stringify(flags)}`];
}

/** Runs wasm-opt on a module, in place. */
async function optimize(module, flags) {
  await run(process.execPath, [optimizer, module, "-o", `${module}.optimized`, ...flags]);
  renameSync(`${module}.optimized`, module);
}

/** Builds the module, unless nothing it is made of changed. `packages` is done when the node packages are there. */
export async function buildWasm(packages) {
  const compiler = await wasmCompiler();
  if (compiler === null) throw new Missing("the wasm32-unknown-unknown target", "npm run setup");
  const manifests = ["scripts/bindings", "scripts/build/wasm.mjs", "scripts/build/order.mjs", "Cargo.toml", "Cargo.lock", ".cargo/config.toml", "wasm-pack.toml", "package-lock.json"];
  const sources = ["src", "crates", ...manifests].map((path) => at(path));
  const key = digest(sources, compiler.compiler);
  await whenChanged("wasm", key, [wasmFolder], async () => {
    const partial = `${wasmFolder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    say("wasm: compiling takes about 90 s");
    await Promise.all([
      wasmCargo("build", ["--release", "--lib", ...pathsOfThisMachine(compiler.triple)], { label: "module" }),
      compileBindings(),
      packages,
    ]);
    const built = join(compiler.targetFolder, compiler.triple, "release", `${(await crate()).name}.wasm`);
    await makeBindings(built, partial, settings.output.name);
    const module = join(partial, moduleFile);
    await optimize(module, settings["wasm-opt"].flags);
    writeFileSync(module, nameByOrder(readFileSync(module)));
    await optimize(module, ["--reorder-functions-by-name", "--strip-debug"]);
    rmSync(wasmFolder, { recursive: true, force: true });
    renameSync(partial, wasmFolder);
  });
}
