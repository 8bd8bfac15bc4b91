/** Writes docs/limits.md from the constants of the source: `npm run limits`. */
import { writeFileSync } from "node:fs";
import { limitsPage } from "./limits/page.mjs";
import { say } from "./log.mjs";
import { program } from "./program.mjs";
import { at } from "./project.mjs";

await program(import.meta.url, () => {
  writeFileSync(at("docs/limits.md"), limitsPage());
  say("wrote docs/limits.md");
});
