/** Which documents are pages of the site, where, and how their links lead from page to page. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path/posix";
import { at } from "../project.mjs";

const named = { "README.md": "start.md", "examples/README.md": "examples/index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md" };

/** The page of a document, both as paths: `docs/guides/recall.md` is `guides/recall.md`. Undefined for what is no page. */
export function pageOf(path) {
  if (path in named) return named[path];
  if (/^docs\/.*\.md$/.test(path)) return path.replace(/^docs\/(site\/)?/, "");
  const [, example] = path.match(/^examples\/([^/.]+)(\/README\.md)?$/) ?? [];
  return example && `examples/${example}.md`;
}

/** The first heading of a document. */
export const titleOf = (text) => text.match(/^# (.*)$/m)?.[1] ?? "";

/** The first paragraph of a document, without what marks it up. */
export const summaryOf = (text) => text.split(/\n{2,}/)[1].replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("\n", " ");

const LINK = /(!?)\[((?:\[[^\]]*\]\([^)]*\)|!?\[[^\]]*\]|[^\]])*)\]\(([^)\s]+)\)/g;
const CODE = /(^```[^]*?^```$|`[^`\n]*`)/gm;

/**
 * A document as a page: its links lead to pages, and pictures are in it.
 *
 * @param {string} path of the document
 * @param {string} text
 * @param {Set<string>} files receives the files of the repository that the page links to; they belong under `files/`
 */
export function linked(path, text, files) {
  const own = dirname(pageOf(path));
  const targetOf = (target) => {
    if (/^([a-z]+:|#)/.test(target)) return target;
    const [file, anchor] = target.split("#");
    const place = join(dirname(path), file);
    const page = pageOf(place);
    if (page === undefined) return fileOf(place);
    const way = relative(own, page);
    return `${way.startsWith(".") ? way : `./${way}`}${anchor === undefined ? "" : `#${anchor}`}`;
  };
  const fileOf = (place) => {
    if (!existsSync(at(place)) || (extname(place) === "" && !place.startsWith("LICENSE"))) return undefined;
    files.add(place);
    return `/files/${shownAs(place)}`;
  };
  const link = (whole, picture, label, target) => {
    if (picture && target.endsWith(".svg")) return inlined(join(dirname(path), target));
    const way = targetOf(target);
    return way === undefined ? label : `${picture}[${label}](${way})`;
  };
  return outsideCode(text, (part) => part.replaceAll(LINK, link));
}

/** The name of a file of the repository on the site; a browser shows what ends in `.txt` instead of saving it. */
export const shownAs = (place) => (extname(place) === "" ? `${place}.txt` : place);

/** A picture as part of its page, whose colours it takes. */
function inlined(place) {
  return `\n${readFileSync(at(place), "utf8").replace(/<style>[^]*?<\/style>\n?/, "").replaceAll(/\n\s*/g, "\n").trim()}\n`;
}

/** A text with `change` made to what is not code. */
function outsideCode(text, change) {
  // Code is held back while links are changed: a link may have code in its label.
  const held = [];
  const without = text.replaceAll(CODE, (code) => `\u0000${held.push(code) - 1}\u0000`);
  return change(without).replaceAll(/\u0000(\d+)\u0000/g, (_, place) => held[place]);
}
