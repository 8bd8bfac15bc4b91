#!/usr/bin/env -S node --no-warnings
/**
 * Runs a program that was compiled for wasm32-wasip1, with its arguments and the files of the machine. Its clock is the processor's time
 * that this process took, so that a bench does not count what others take.
 */
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [file, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [file, ...rest], env: process.env, preopens: { "/": "/" } });
const imports = wasi.getImportObject();
let memory;
imports.wasi_snapshot_preview1.clock_time_get = (_clock, _precision, place) => {
  const { user, system } = process.cpuUsage();
  new DataView(memory.buffer).setBigUint64(place, BigInt(user + system) * 1000n, true);
  return 0;
};
const module = await WebAssembly.compile(readFileSync(file));
const instance = await WebAssembly.instantiate(module, imports);
memory = instance.exports.memory;
wasi.start(instance);
