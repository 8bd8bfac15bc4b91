/**
 * Brings a bare machine to where everything builds and is tested.
 *
 * Each piece answers by itself whether it is there (`find`: a short description, or null), so nothing is remembered that
 * could be wrong, and an interrupted run is simply continued.
 */
import { CommandFailed } from "./command.mjs";
import { say, seconds } from "./log.mjs";
import { Missing } from "./missing.mjs";
import { program } from "./program.mjs";
import { bindgen } from "./setup/bindgen.mjs";
import { debianPackages } from "./setup/debian-packages.mjs";
import { nodePackages } from "./setup/node-packages.mjs";
import { rust } from "./setup/rust.mjs";
import { wasmTarget } from "./setup/wasm-target.mjs";

const pieces = [rust, debianPackages, wasmTarget, bindgen, nodePackages];

async function install(piece) {
  try {
    await piece.install();
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new Missing(`${piece.name} (${error.message})`, "see its output above; then run the same again, what is done is kept");
  }
}

/** Finds or installs every piece, in order. */
export async function setUp() {
  const start = performance.now();
  say("set-up");
  for (const piece of pieces) {
    let found = await piece.find();
    if (found === null) {
      const pieceStart = performance.now();
      say(`  ${piece.name}: not here yet, installing`);
      await install(piece);
      found = await piece.find();
      if (found === null) throw new Missing(piece.name, "it was installed without an error, and yet is not usable; see above");
      say(`  ${piece.name}: ${found} (installed in ${seconds(pieceStart)})`);
    } else {
      say(`  ${piece.name}: ${found}`);
    }
  }
  say(`set-up done in ${seconds(start)}`);
}

await program(import.meta.url, setUp);
