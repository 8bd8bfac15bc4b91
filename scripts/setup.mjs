/**
 * Brings a bare machine to where everything builds and is tested; other commands ask for the pieces they need.
 *
 * Each piece answers by itself whether it is there (`find`: a short description, or null), so nothing is remembered that
 * could be wrong, and an interrupted run is simply continued.
 */
import { CommandFailed } from "./command.mjs";
import { say, seconds } from "./log.mjs";
import { Missing } from "./missing.mjs";
import { program } from "./program.mjs";
import { browser, linker, otherBrowsers } from "./setup/debian-packages.mjs";
import { agentChatPackages, allPackages, assistantPackages, buildPackages, bundlerPackages, chatPackages, examplePackages, pagePackages, peerPackages } from "./setup/node-packages.mjs";
import { rust, rustComponents } from "./setup/rust.mjs";
import { sqliteNode } from "./setup/sqlite-node.mjs";
import { wasmTarget } from "./setup/wasm-target.mjs";

/** The pieces for native programs, for the module, for the package and the demo, and for running them in tests. */
export const needs = {
  native: [rust, linker],
  module: [rust, linker, wasmTarget],
  packages: [buildPackages],
  lints: [rustComponents],
  examples: [examplePackages],
  tests: [allPackages, browser, otherBrowsers, sqliteNode],
  bundlers: [bundlerPackages, chatPackages, pagePackages, assistantPackages, agentChatPackages],
  peers: [peerPackages],
};

const everything = [...needs.module, ...needs.lints, ...needs.tests];

async function install(piece) {
  try {
    await piece.install?.();
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new Missing(`${piece.name} (${error.message})`, "see its output above; then run the same again, what is done is kept");
  }
}

async function prepare(piece) {
  await Promise.all((piece.after ?? []).map(ready));
  let found = await piece.find();
  if (found !== null) return say(`  ${piece.name}: ${found}`);
  const start = performance.now();
  say(`  ${piece.name}: not here yet; installing takes about ${piece.expected}`);
  await install(piece);
  found = await piece.find();
  if (found === null) throw new Missing(piece.name, "it was installed without an error, and yet is not usable; see above");
  say(`  ${piece.name}: ${found} (installed in ${seconds(start)})`);
}

const started = new Map();

/** One run finds or installs a piece once, whoever asks. */
function ready(piece) {
  if (!started.has(piece)) started.set(piece, prepare(piece));
  return started.get(piece);
}

/** Finds or installs these pieces and what comes before them, side by side; all of them when none is named. */
export async function setUp(pieces = everything) {
  await Promise.all(pieces.map(ready));
}

await program(import.meta.url, async () => {
  const start = performance.now();
  await setUp();
  say(`set-up done in ${seconds(start)}`);
});
