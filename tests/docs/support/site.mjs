/** The built site: its pages, and a server of it as `npm start` has. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { filesIn } from "../../../scripts/digest.mjs";
import { docsFolder } from "../../../scripts/docs/build.mjs";
import { serve } from "../../../scripts/serve.mjs";

/** All pages, by their paths. */
export const pages = () =>
  filesIn(docsFolder)
    .filter((file) => file.endsWith(".html"))
    .map((file) => ({ path: relative(docsFolder, file), html: readFileSync(file, "utf8") }));

/** Serves the site; `url` is that of its first page. */
export async function serveDocs() {
  const server = await serve(docsFolder, 0, {}, { docs: docsFolder });
  return { url: `${server.url}/docs/`, close: server.close };
}
