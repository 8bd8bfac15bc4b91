/** Kills a Node process while it opens a memory, in files or in SQLite, and writes. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nodeWithSqlite } from "../setup/sqlite-node.mjs";
import { kills } from "./kills.mjs";

const VARIANTS = ["files", "sqlite"].flatMap((storage) => [{ storage }, { storage, encrypted: true }]);

/** How long a process lives at most, from when it is started or begins to write. */
const LONGEST_MS = 600;

export const node = {
  name: "node",
  shortRounds: 8,
  async run(soak) {
    for (let block = 0; !soak.isOver(); block += 1) {
      const options = VARIANTS[block % VARIANTS.length];
      const row = soak.tally.row("node", `${options.storage}${options.encrypted ? ", encrypted" : ""}`);
      const folder = await mkdtemp(join(soak.folder, `${options.storage}-`));
      await kills(soak, row, (confirmed, onConfirmed) => begin(soak, folder, options, confirmed, onConfirmed), LONGEST_MS);
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function begin(soak, folder, options, confirmed, onConfirmed) {
  const writer = join(import.meta.dirname, "writer.mjs");
  const child = spawn(nodeWithSqlite(), [writer, folder, soak.packageFolder, JSON.stringify(options), String(confirmed)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", () => resolve()));
  const found = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, kind, rest] = /^(\w+) (.*)$/.exec(line) ?? [];
      if (kind === "found") resolve(JSON.parse(rest));
      if (kind === "confirmed") onConfirmed(Number(rest));
    });
    void ended.then(() => resolve(undefined));
  });
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  return { found, ended, log: () => [], kill };
}
