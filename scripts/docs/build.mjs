/** Building the documentation site. What it takes from packages is loaded when it is built: before, they may not be there. */
import { run } from "../command.mjs";
import { digest } from "../digest.mjs";
import { at, root, settings } from "../project.mjs";
import { whenChanged } from "../stamp.mjs";

/** Where the built site is. */
export const docsFolder = at("docs/site/dist");

/** Builds the site, unless nothing it is made of changed. It needs the built package. */
export async function buildDocs() {
  const inputs = ["docs", "examples", "pkg-template", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "scripts/docs", "package-lock.json", settings.output.package];
  await whenChanged("docs", digest(inputs.map((path) => at(path))), [docsFolder], async () => {
    const { writeSite } = await import("./site.mjs");
    await writeSite();
    await run(process.execPath, [at("node_modules/vitepress/bin/vitepress.js"), "build", at("docs/site")], { cwd: root, label: "docs" });
  });
}
