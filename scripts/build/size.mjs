/** What every shipped file weighs: raw, after gzip, after brotli. The build writes it and holds it against the budget. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { run } from "../command.mjs";
import { table } from "../log.mjs";
import { Failure } from "../program.mjs";
import { at, settings } from "../project.mjs";
import { tarballPath } from "./package.mjs";

/** Measures what the tarball holds, writes artifacts/size.json, and answers it. */
export async function measureSize() {
  const tarball = await tarballPath();
  const listing = await run("tar", ["-tzf", tarball], { quiet: true });
  const paths = listing.trim().split("\n").map((line) => line.replace(/^package\//, "")).sort();
  const files = paths.map((path) => {
    const content = readFileSync(at(settings.output.package, path));
    return {
      path,
      raw: content.length,
      gzip: gzipSync(content, { level: 9 }).length,
      brotli: brotliCompressSync(content).length,
      budget: settings.budget[path],
    };
  });
  const size = { tarball: basename(tarball), bytes: statSync(tarball).size, files };
  const target = at(settings.output.artifacts, "size.json");
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${JSON.stringify(size, null, 2)}\n`);
  return size;
}

/** Fails when a file is over its budget, or a budget has no file. */
export function holdBudget({ files }) {
  for (const [path, budget] of Object.entries(settings.budget)) {
    const gzip = files.find((file) => file.path === path)?.gzip;
    if (gzip === undefined) throw new Failure(`wasm-pack.toml has a budget for ${path}, which is not in the package`);
    if (gzip > budget) throw new Failure(`${path} weighs ${gzip} bytes after gzip; its budget in wasm-pack.toml is ${budget}`);
  }
}

/** The sizes for people. */
export function sizeTable({ tarball, bytes, files }) {
  const sum = (name) => files.reduce((total, file) => total + file[name], 0);
  return table([
    ["file", "raw", "gzip", "brotli"],
    ...files.map(({ path, raw, gzip, brotli, budget }) => [
      budget === undefined ? path : `${path} (budget ${budget} gzip)`, raw, gzip, brotli,
    ]),
    ["sum", sum("raw"), sum("gzip"), sum("brotli")],
    [tarball, bytes, "", ""],
  ]);
}
