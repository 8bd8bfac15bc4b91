/** What a user downloads, as the build measured it. */
import { readFileSync } from "node:fs";
import { at, settings } from "../../scripts/project.mjs";

export function measure() {
  const { bytes, files } = JSON.parse(readFileSync(at(settings.output.artifacts, "size.json"), "utf8"));
  const module = files.find(({ path }) => path.endsWith(".wasm"));
  const kilobytes = (number) => ({ value: number / 1000, unit: "kB" });
  return [
    { name: `${module.path}, gzip`, ...kilobytes(module.gzip), target: 450 },
    { name: `${module.path}, brotli`, ...kilobytes(module.brotli) },
    { name: "tarball", ...kilobytes(bytes) },
  ];
}
