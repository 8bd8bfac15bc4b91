/** Prints what every shipped file weighs: raw, after gzip, after brotli. */
import { build } from "./build.mjs";
import { sizeTable } from "./build/size.mjs";
import { report } from "./log.mjs";
import { program } from "./program.mjs";

await program(import.meta.url, async () => {
  const size = await build();
  report(size, sizeTable(size));
});
