/** What every shipped file weighs: raw, after gzip, after brotli. The build writes it and holds it against the budget. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { run } from "../command.mjs";
import { table } from "../log.mjs";
import { Failure } from "../program.mjs";
import { at, settings } from "../project.mjs";
import { tarballPath } from "./package.mjs";
import { reach } from "./reach.mjs";

const packageFolder = at(settings.output.package);

/** Measures what the tarball holds, writes artifacts/size.json, and answers it. */
export async function measureSize() {
  const tarball = await tarballPath();
  const listing = await run("tar", ["-tzf", tarball], { quiet: true });
  const paths = listing.trim().split("\n").map((line) => line.replace(/^package\//, "")).sort();
  const files = paths.map((path) => {
    const content = readFileSync(join(packageFolder, path));
    return {
      path,
      raw: content.length,
      gzip: gzipSync(content, { level: 9 }).length,
      brotli: brotliCompressSync(content).length,
    };
  });
  const size = { tarball: basename(tarball), bytes: statSync(tarball).size, files };
  const target = at(settings.output.artifacts, "size.json");
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${JSON.stringify(size, null, 2)}\n`);
  return size;
}

/** Fails when files are over their budget, a budget has no file, or an entry no budget, and names all of them. */
export function holdBudget({ files }) {
  const unknown = entries().filter((entry) => !(entry in settings.budget));
  const faults = unknown.map((entry) => {
    const { gzip, brotli } = weight(entry, files);
    return `${entry} is exported and needs a budget in wasm-pack.toml; with all that it imports it weighs ${gzip} bytes after gzip and ${brotli} after brotli`;
  });
  for (const { path, gzip, brotli, budget } of budgeted(files)) {
    if (gzip === 0) faults.push(`wasm-pack.toml has a budget for ${path}, which is not in the package`);
    if (gzip <= budget.gzip && brotli <= budget.brotli) continue;
    faults.push(
      `${path} weighs ${gzip} bytes after gzip and ${brotli} after brotli; its budget in wasm-pack.toml is ${budget.gzip} and ${budget.brotli}`,
    );
  }
  if (faults.length > 0) throw new Failure(faults.join("\n"));
}

/** What there is a budget for: a file, and with a script all that it reaches. */
function budgeted(files) {
  return Object.entries(settings.budget).map(([path, [gzip, brotli]]) => ({ ...weight(path, files), budget: { gzip, brotli } }));
}

/** What a file weighs, and with a script all that it reaches. */
function weight(path, files) {
  const own = files.some((file) => file.path === path) ? [path] : [];
  const paths = path.endsWith(".js") ? own.flatMap((entry) => reach(join(packageFolder, entry))).map((file) => relative(packageFolder, file)) : own;
  return { path, ...sums(files.filter((file) => paths.includes(file.path))) };
}

/** The scripts that the package exports. */
function entries() {
  const targets = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(targets));
  const { exports } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  return [...new Set(targets(exports))].filter((target) => target.endsWith(".js")).map((target) => target.replace("./", ""));
}

function sums(files) {
  const sum = (name) => files.reduce((total, file) => total + file[name], 0);
  return { raw: sum("raw"), gzip: sum("gzip"), brotli: sum("brotli") };
}

/** The sizes for people. */
export function sizeTable({ tarball, bytes, files }) {
  const row = ({ path, raw, gzip, brotli }) => [path, raw, gzip, brotli];
  const within = ({ path, gzip, brotli, budget }) => [`${path}, of its budget`, "", `${gzip} of ${budget.gzip}`, `${brotli} of ${budget.brotli}`];
  return table([
    ["file", "raw", "gzip", "brotli"],
    ...files.map(row),
    row({ path: "sum", ...sums(files) }),
    ...budgeted(files).map(within),
    [tarball, bytes, "", ""],
  ]);
}
