/** What a user downloads, as the build measured it. */
import { readFileSync } from "node:fs";
import { at, settings } from "../../scripts/project.mjs";

export function measure() {
  const { bytes, files } = JSON.parse(readFileSync(at(settings.output.artifacts, "size.json"), "utf8"));
  const kilobytes = (number) => ({ value: number / 1000, unit: "kB" });
  const modules = files.filter(({ path }) => path.endsWith(".wasm"));
  return [
    ...modules.flatMap(({ path, gzip, brotli }) => [
      { name: `${path}, gzip`, ...kilobytes(gzip) },
      { name: `${path}, brotli`, ...kilobytes(brotli) },
    ]),
    { name: "tarball", ...kilobytes(bytes) },
  ];
}
