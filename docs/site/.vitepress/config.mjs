/** VitePress's settings. `scripts/docs/site.mjs` has written the pages and the lists before. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { slugOf } from "../../../scripts/docs/snippets.mjs";

const pages = new URL("../../../.cache/docs", import.meta.url).pathname;
const base = "/docs/";
const { guides, background, reference } = JSON.parse(readFileSync(join(pages, "contents.json"), "utf8"));

/** What a page may do, wherever it is served: nothing from elsewhere, and no script within a page. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** VitePress writes small scripts into its pages; they become files, since the policy allows no others. */
const scripts = new Map();

function withoutInlineScripts(html) {
  const outside = html.replaceAll(/<script(?![^>]*\ssrc=)([^>]*)>([^]*?)<\/script>/g, (_, attributes, code) => {
    const name = `${createHash("sha256").update(code).digest("hex").slice(0, 12)}.js`;
    scripts.set(name, code);
    return `<script${attributes} src="${base}assets/${name}"></script>`;
  });
  return outside.replace("<head>", `<head>\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
}

/** A wide table scrolls by itself, with the keyboard too; what heads nothing is no heading. */
function readableTables(markdown) {
  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n';
  markdown.renderer.rules.table_close = () => "</table></div>\n";
  markdown.core.ruler.push("empty headings", ({ tokens }) => {
    tokens.forEach(({ type }, place) => {
      if (type !== "th_open" || tokens[place + 1].content !== "") return;
      tokens[place].tag = "td";
      tokens[place + 2].tag = "td";
    });
  });
}

/**
 * A page as the search reads it: the headings of the reference that have no name of their own, such as "Parameters", are no places, and each
 * error in the table is one.
 */
function searchable(source, page, markdown) {
  const html = markdown.render(source, page);
  return html
    .replaceAll(/<h([2-6]) id="part-\d+"[^>]*>[^]*?<\/h\1>/g, "")
    .replaceAll(/<td><a id="(\w+)"><\/a><code[^>]*>(\w+)<\/code>/g, '<h2 id="$1">$2 <a href="#$1">#</a></h2><td>');
}

export default defineConfig({
  base,
  lang: "en",
  title: "mnemic",
  description: "A memory engine for chat assistants that runs where the user is.",
  head: [["link", { rel: "icon", href: `${base}favicon.svg` }]],
  srcDir: pages,
  outDir: "./dist",
  cacheDir: "../../.cache/vitepress",
  metaChunk: true,
  ignoreDeadLinks: "localhostLinks",
  markdown: { anchor: { slugify: slugOf }, theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" }, config: readableTables },
  transformHtml: withoutInlineScripts,
  buildEnd({ outDir }) {
    mkdirSync(join(outDir, "assets"), { recursive: true });
    for (const [name, code] of scripts) writeFileSync(join(outDir, "assets", name), code);
  },
  vite: { build: { chunkSizeWarningLimit: 8000 } },
  themeConfig: {
    outline: [2, 3],
    search: { provider: "local", options: { _render: searchable } },
    nav: [
      { text: "Start", link: "/start" },
      { text: "Guides", link: "/guides/", activeMatch: "/guides/" },
      { text: "Concepts", link: "/concepts/learning", activeMatch: "/concepts/" },
      { text: "Reference", link: "/reference/", activeMatch: "/reference/" },
      { text: "Compared", link: "/comparison" },
      // Beside the site, where `npm start` serves it.
      { text: "Demo", link: "/../", target: "_self" },
    ],
    sidebar: { "/reference/": reference, "/guides/": guides, "/": [{ text: "Begin", items: [{ text: "Pick your stack", link: "/#pick-your-stack" }, { text: "Start", link: "/start" }, { text: "Guides by task", link: "/guides/" }, { text: "Reference", link: "/reference/" }] }, ...background] },
  },
});
