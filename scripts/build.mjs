/** Builds the npm package in pkg/ and its tarball in artifacts/, and holds it against the size budget. */
import { buildPackage } from "./build/package.mjs";
import { holdBudget, measureSize, sizeTable } from "./build/size.mjs";
import { buildWasm } from "./build/wasm.mjs";
import { report, say, seconds } from "./log.mjs";
import { program } from "./program.mjs";
import { settings } from "./project.mjs";
import { setUp } from "./setup.mjs";

/** Builds what changed, and answers the sizes of the result. */
export async function build() {
  const start = performance.now();
  await buildWasm();
  await buildPackage();
  const size = await measureSize();
  holdBudget(size);
  say(`build done in ${seconds(start)}`);
  return size;
}

await program(import.meta.url, async () => {
  await setUp();
  const size = await build();
  report(size, `built ${settings.output.package}/ and ${settings.output.artifacts}/${size.tarball}\n${sizeTable(size)}`);
});
