/**
 * Route B to wasm32-unknown-unknown: Debian's own, newer rustc, and a standard library built once from Debian's source.
 *
 * The library lies in a sysroot of our own, so that nothing of Debian's is changed. A compiler reads only libraries it
 * built itself, so this route has its own target folder, and every program of it is Debian's.
 */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ask, run, which } from "../command.mjs";
import { at, machineCache } from "../project.mjs";
import { aptInstall, notInstalled } from "./apt.mjs";

const triple = "wasm32-unknown-unknown";
// lld-22 is the linker rustc-web runs for wasm, though its package does not ask for it.
const packages = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm", "rust-web-clippy", "lld-22"];
// `test` is needed to link the browser tests.
const crates = ["std", "panic_abort", "panic_unwind", "proc_macro", "test"];

/** Programs of the same name in /usr/bin come before rustup's. */
const env = { PATH: `/usr/bin:${process.env.PATH}`, RUSTC: "/usr/bin/rustc", RUSTUP_TOOLCHAIN: undefined };

async function compilerAndSysroot() {
  const compiler = await ask("/usr/bin/rustc", ["-vV"]);
  if (compiler === null || !which("/usr/bin/cargo")) return null;
  // Another compiler, or other crates, are another library.
  const identity = createHash("sha256").update(JSON.stringify([compiler, crates])).digest("hex").slice(0, 12);
  return { compiler, sysroot: join(machineCache, `debian-std-${identity}`) };
}

async function buildLibrary() {
  const { sysroot } = await compilerAndSysroot();
  const source = join(await run("/usr/bin/rustc", ["--print", "sysroot"], { quiet: true }).then((text) => text.trim()), "lib/rustlib/src/rust/library");
  mkdirSync(machineCache, { recursive: true });
  const work = mkdtempSync(join(machineCache, "debian-std-build-"));
  try {
    mkdirSync(join(work, "src"));
    writeFileSync(join(work, "src/lib.rs"), "#![no_std]\n");
    writeFileSync(
      join(work, "Cargo.toml"),
      '[package]\nname = "nothing"\nversion = "0.0.0"\nedition = "2021"\n[profile.release]\ncodegen-units = 1\n',
    );
    // The library's own dependencies come with Debian's source; nothing is fetched.
    writeFileSync(
      join(work, "vendor.toml"),
      `[source.crates-io]\nreplace-with = "vendor"\n[source.vendor]\ndirectory = ${JSON.stringify(join(source, "vendor"))}\n`,
    );
    await run(
      "/usr/bin/cargo",
      [
        ...["build", "--config", "vendor.toml", "--offline", "--release"],
        ...["--target", triple, "--target-dir", "target", `-Zbuild-std=${crates.join(",")}`],
      ],
      {
        cwd: work,
        env: {
          ...env,
          CARGO_HOME: join(work, "home"),
          CARGO_TARGET_DIR: undefined,
          RUSTC_BOOTSTRAP: "1",
          RUSTFLAGS: "-Cembed-bitcode=yes",
        },
      },
    );
    const built = join(work, "target", triple, "release/deps");
    const libraries = join(work, "sysroot/lib/rustlib", triple, "lib");
    mkdirSync(libraries, { recursive: true });
    for (const file of readdirSync(built)) {
      if (file.endsWith(".rlib") && !file.startsWith("libnothing-")) copyFileSync(join(built, file), join(libraries, file));
    }
    // The name appears with everything in it, or not at all.
    rmSync(sysroot, { recursive: true, force: true });
    renameSync(join(work, "sysroot"), sysroot);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** What killed runs left behind. */
function sweep() {
  if (!existsSync(machineCache)) return;
  for (const name of readdirSync(machineCache)) {
    if (name.startsWith("debian-std-build-")) rmSync(join(machineCache, name), { recursive: true, force: true });
  }
}

export const debianTarget = {
  name: "debian",

  /** How to build with it, or null when something of it is not there. */
  async find() {
    const place = await compilerAndSysroot();
    if (place === null || !existsSync(place.sysroot) || (await notInstalled(packages)).length > 0) return null;
    const sysrootFlag = JSON.stringify([`--sysroot=${place.sysroot}`]);
    return {
      route: `Debian's rustc, ${basename(place.sysroot)}`,
      compiler: place.compiler,
      triple,
      cargo: "/usr/bin/cargo",
      // Laid over the flags of .cargo/config.toml; the environment variable would be another way, but hides them.
      flags: ["--config", `target.${triple}.rustflags=${sysrootFlag}`],
      env,
      targetFolder: at("target/debian"),
    };
  },

  async install() {
    sweep();
    const missing = await notInstalled(packages);
    if (missing.length > 0) await aptInstall(missing, "Debian's rustc for wasm32-unknown-unknown");
    await buildLibrary();
  },
};
