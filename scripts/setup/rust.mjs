/** Rust's stable toolchain, the one thing the reader must bring; and its formatter and linter, for tests. */
import { ask, run, which } from "../command.mjs";
import { Missing } from "../missing.mjs";
import { crate, root } from "../project.mjs";

const components = { rustfmt: "cargo-fmt", clippy: "cargo-clippy" };

export const rust = {
  name: "Rust",

  async find() {
    const needed = (await crate()).rust_version;
    const version = /^rustc (\d+\.\d+)\S*/.exec((await ask("rustc", ["--version"], { cwd: root })) ?? "");
    if (!version) throw new Missing("a working rustc", "rustup default stable");
    const [major, minor] = version[1].split(".").map(Number);
    const [neededMajor, neededMinor] = needed.split(".").map(Number);
    if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
      throw new Missing(`Rust ${needed} or newer (found ${version[0]})`, "rustup update stable");
    }
    return version[0];
  },
};

export const rustComponents = {
  name: Object.keys(components).join(" and "),
  expected: "10 s",
  after: [rust],

  async find() {
    for (const command of Object.values(components)) {
      if ((await ask(command, ["--version"], { cwd: root })) === null) return null;
    }
    return "here";
  },

  async install() {
    const names = Object.keys(components);
    if (!which("rustup")) throw new Missing(`Rust's ${names.join(" and ")}`, "install them as you installed cargo");
    await run("rustup", ["component", "add", ...names], { cwd: root, label: "rustup" });
  },
};
