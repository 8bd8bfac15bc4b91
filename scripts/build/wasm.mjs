/** The WebAssembly modules and their glue: cargo, the bindings, wasm-opt, the cut into parts, and the order of functions. */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
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
import { SECTION, section, without } from "./bytes.mjs";
import { readLinked } from "./linked.mjs";
import { nameByOrder } from "./order.mjs";
import { assignParts, FIRST } from "./parts.mjs";
import { reach } from "./reach.mjs";
import { split } from "./split.mjs";

/** Where the module and its glue are put. */
export const wasmFolder = at(".cache/wasm");

/** The names of the files of the module: its glue, itself, and its later parts. */
export const glueFile = `${settings.output.name}.js`;
const moduleFile = `${settings.output.name}_bg.wasm`;
const partFile = (part) => (part === FIRST ? moduleFile : `${settings.output.name}_${part}.wasm`);
export const moduleFiles = [FIRST, ...Object.keys(settings.parts)].map(partFile);

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
async function pathsOfThisMachine({ cargo, env, triple }) {
  // On a new machine the folders are there once the sources are.
  await run(cargo, ["fetch", "--locked", "--target", triple], { cwd: root, label: "sources", env });
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
  const manifests = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml", "package-lock.json"];
  const scripts = reach(import.meta.filename).filter((file) => file.startsWith(at("scripts/build/")));
  const sources = ["src", "crates", "scripts/bindings", ...manifests].map((path) => at(path));
  const { budget: _, ...decisive } = settings;
  const key = digest([...sources, ...scripts], compiler.compiler, decisive);
  await whenChanged("wasm", key, [wasmFolder], async () => {
    const partial = `${wasmFolder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    say("wasm: compiling takes about 90 s");
    // The linker lists every place that it filled in, so that it is known what refers to what.
    const afterDashes = ["--", "-C", "link-arg=--emit-relocs"];
    const paths = await pathsOfThisMachine(compiler);
    await Promise.all([
      wasmCargo("rustc", ["--release", "--lib", ...paths], { afterDashes, label: "module" }),
      compileBindings(),
      packages,
    ]);
    const built = join(compiler.targetFolder, compiler.triple, "release", `${(await crate()).name}.wasm`);
    const linked = readLinked(readFileSync(built));
    const assigned = assignParts(linked, settings.parts, settings.needs);
    await makeBindings(built, partial, settings.output.name);
    const whole = join(partial, moduleFile);
    writeFileSync(whole, without(readFileSync(whole), ({ name }) => name === "linking" || name?.startsWith("reloc.")));
    await optimize(whole, settings["wasm-opt"].flags);
    const optimized = readFileSync(whole);
    const build = createHash("sha256").update(optimized).digest("hex").slice(0, 16);
    for (const [part, bytes] of split(optimized, linked, assigned)) {
      const file = join(partial, partFile(part));
      writeFileSync(file, bytes);
      await optimize(file, ["--remove-unused-module-elements", "--debuginfo"]);
      writeFileSync(file, nameByOrder(readFileSync(file)));
      await optimize(file, ["--reorder-functions-by-name", "--strip-debug"]);
      // Parts of different builds do not fit one another; this says what was built together.
      appendFileSync(file, section(SECTION.custom, Buffer.from(`${part} ${build}`), "part"));
    }
    rmSync(wasmFolder, { recursive: true, force: true });
    renameSync(partial, wasmFolder);
  });
}
