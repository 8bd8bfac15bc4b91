/** Installs what the demo and the documentation need, builds both, and serves them. PORT changes the port. */
import { build } from "./build.mjs";
import { buildDemo, demoFolder } from "./demo.mjs";
import { buildDocs, docsFolder } from "./docs/build.mjs";
import { say } from "./log.mjs";
import { Failure, program } from "./program.mjs";
import { serve } from "./serve.mjs";

function chosenPort() {
  const text = process.env.PORT || "5173";
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Failure(`PORT is ${text}; it must be 1 to 65535`);
  return port;
}

await program(import.meta.url, async () => {
  const port = chosenPort();
  // A taken port is told now, and not after minutes of building.
  await (await serve(demoFolder, port)).close();
  say("from a bare machine this takes about 4 minutes, or 10 when it is busy, most of them without a word; the next time, seconds");
  await build();
  await buildDemo();
  const { url } = await serve(demoFolder, port, {}, { docs: docsFolder });
  say(`\nThe demo is at ${url} (Ctrl+C ends it); the documentation follows within a minute`);
  await buildDocs();
  say(`\nThe demo is at ${url}, the documentation at ${url}/docs/ (Ctrl+C ends both)`);
});
