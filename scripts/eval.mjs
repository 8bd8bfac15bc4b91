/** Measures quality, such as recall: every module in tests/eval, over the built package. */
import { build } from "./build.mjs";
import { measureFolder, reportMeasurements } from "./measurements.mjs";
import { program } from "./program.mjs";
import { setUp } from "./setup.mjs";

await program(import.meta.url, async () => {
  await setUp();
  await build();
  reportMeasurements(await measureFolder("tests/eval"));
});
