/** Where things are, and what the manifests say. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { run, which } from "./command.mjs";
import { Missing } from "./missing.mjs";
import { parseToml } from "./toml.mjs";

/** The root of the repository. */
export const root = resolve(import.meta.dirname, "..");

/** What is built once per machine and shared by all clones. */
export const machineCache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "mnemic");

/** The path of something in the repository. */
export const at = (...parts) => join(root, ...parts);

/** The build's settings, from wasm-pack.toml. */
export const settings = parseToml(readFileSync(at("wasm-pack.toml"), "utf8"));

// A shell that never sourced rustup's file lacks its folder; then Debian's cargo, there for wasm, must not take its place.
const rustupFolder = join(process.env.CARGO_HOME || join(homedir(), ".cargo"), "bin");
if (!which("rustup") && existsSync(join(rustupFolder, "rustup"))) {
  process.env.PATH = [rustupFolder, process.env.PATH].filter(Boolean).join(delimiter);
}

let manifest;

/** Cargo's view of the crate: version, rust_version, dependencies, targets. */
export async function crate() {
  if (!which("cargo")) {
    throw new Missing("cargo, Rust's build tool", "install Rust's stable toolchain with rustup (https://rustup.rs)");
  }
  manifest ??= JSON.parse(
    await run("cargo", ["metadata", "--no-deps", "--offline", "--format-version", "1"], { cwd: root, quiet: true }),
  ).packages.find(({ manifest_path: path }) => path === at("Cargo.toml"));
  return manifest;
}

/** The crate's targets (tests, benches) whose source is in this folder. */
export async function targetsIn(folder, kind) {
  const prefix = `${at(folder)}/`;
  return (await crate()).targets
    .filter((target) => target.kind.includes(kind) && target.src_path.startsWith(prefix))
    .map(({ name }) => name);
}
