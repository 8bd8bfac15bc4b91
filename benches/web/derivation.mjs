/** How long a passphrase takes to become a key: on a processor of its own, and on one shared with three others who never rest. */
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { say } from "../../scripts/log.mjs";
import { at } from "../../scripts/project.mjs";
import { summary } from "./support/timing.mjs";

const REPETITIONS = 9;
/** A phone's processor is about four times slower than a laptop's, so it is shared by four. */
const OTHERS = 3;

/** How often the package derives. */
function iterations() {
  const [, number] = /ITERATIONS = ([\d_]+)/.exec(readFileSync(at("pkg-template/src/passphrase.ts"), "utf8")) ?? [];
  if (number === undefined) throw new Error("pkg-template/src/passphrase.ts has no ITERATIONS any more");
  return Number(number.replaceAll("_", ""));
}

/** Prints how long each derivation took. */
const deriving = (iterations) => `
  const words = new TextEncoder().encode("four words nobody guesses");
  const key = await crypto.subtle.importKey("raw", words, "PBKDF2", false, ["deriveBits"]);
  const times = [];
  for (let number = 0; number < ${REPETITIONS}; number += 1) {
    const start = performance.now();
    await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(16), iterations: ${iterations} }, key, 256);
    times.push(performance.now() - start);
  }
  console.log(JSON.stringify(times));
`;

/** Runs Node on the first processor alone. */
const pinned = (code) => ["taskset", ["--cpu-list", "0", process.execPath, "--input-type=module", "--eval", code]];

function derived(iterations) {
  const [command, args] = pinned(deriving(iterations));
  return summary(JSON.parse(execFileSync(command, args, { encoding: "utf8" })));
}

export function measure() {
  if (process.platform !== "linux") {
    say("keeping programs on one processor needs Linux's taskset");
    return [];
  }
  const count = iterations();
  const name = `${count} iterations of PBKDF2`;
  const alone = derived(count);
  const [command, args] = pinned("for (;;);");
  const others = Array.from({ length: OTHERS }, () => spawn(command, args, { stdio: "ignore" }));
  try {
    const peer = { name: "alone", value: alone.value };
    return [
      { name, ...alone, unit: "ms" },
      { name: `${name} on a quarter of the processor`, ...derived(count), unit: "ms", peer },
    ];
  } finally {
    for (const other of others) other.kill();
  }
}
