/** Builds the documentation site in docs/site/dist; `npm start` serves it beside the demo. */
import { build } from "./build.mjs";
import { buildDocs, docsFolder } from "./docs/build.mjs";
import { say, seconds } from "./log.mjs";
import { program } from "./program.mjs";

await program(import.meta.url, async () => {
  await build();
  const start = performance.now();
  await buildDocs();
  say(`docs done in ${seconds(start)}: ${docsFolder}`);
});
