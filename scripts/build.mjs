/** Builds the npm package in pkg/ and its tarball in artifacts/, and holds it against the size budget. */
import { buildPackage } from "./build/package.mjs";
import { holdBudget, measureSize, sizeTable } from "./build/size.mjs";
import { buildWasm } from "./build/wasm.mjs";
import { report, say, seconds } from "./log.mjs";
import { program } from "./program.mjs";
import { settings } from "./project.mjs";
import { needs, setUp } from "./setup.mjs";

/** Installs what building needs, builds what changed, and answers the sizes of the result. */
export async function build() {
  const start = performance.now();
  const packages = setUp(needs.packages);
  await Promise.all([packages, setUp(needs.module).then(() => buildWasm(packages))]);
  await buildPackage();
  const size = await measureSize();
  holdBudget(size);
  say(`build done in ${seconds(start)}`);
  return size;
}

await program(import.meta.url, async () => {
  const size = await build();
  report(size, `built ${settings.output.package}/ and ${settings.output.artifacts}/${size.tarball}\n${sizeTable(size)}`);
});
