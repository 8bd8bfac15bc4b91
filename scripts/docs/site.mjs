/** What VitePress makes the documentation site of: pages from the documents, the sources and docs/site, and what is served as it is. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { background, guides, stacks } from "../../docs/site/contents.mjs";
import { filesIn } from "../digest.mjs";
import { at, root, settings } from "../project.mjs";
import { errorPage, errors } from "./errors.mjs";
import { linked, pageOf, shownAs, summaryOf, titleOf } from "./pages.mjs";
import { writeReference } from "./reference.mjs";
import { modulesOf, obstacle, standsIn } from "./runnable.mjs";
import { documents, javaScript, slugOf } from "./snippets.mjs";

const site = at("docs/site");
const pages = at(".cache/docs");
const packageFolder = at(settings.output.package);

/** Writes everything that VitePress makes the site of. */
export async function writeSite() {
  rmSync(pages, { recursive: true, force: true });
  const reference = await writeReference(join(pages, "reference"));
  writeErrors();
  writeDocuments();
  writePublic();
  write("contents.json", JSON.stringify({ ...lists(), reference }));
}

function write(path, content) {
  mkdirSync(dirname(join(pages, path)), { recursive: true });
  writeFileSync(join(pages, path), content);
}

const textOf = (path) => readFileSync(at(path), "utf8");

/** TypeDoc's page of errors has the constructor of each class; the table takes their place, and what else there is stays. */
function writeErrors() {
  const path = "reference/errors.md";
  const classes = new Set(errors().map(({ name }) => name));
  const sections = readFileSync(join(pages, path), "utf8").split(/^(?=### )/m).slice(1);
  const others = sections
    .filter((section) => !classes.has(section.match(/^### (\w+)/)[1]))
    .map((section) => section.replace(/^#### Extended by.*\n[^]*?(?=^####)/m, ""));
  write(path, errorPage(others.map((section) => section.replaceAll(/^\*\*\*$|^#+ (Type Aliases|Interfaces|Functions|Classes)$/gm, "").replaceAll(/^#(#+ )/gm, "$1")).join("\n")));
}

function writeDocuments() {
  const files = new Set();
  const own = filesIn(site).filter((file) => file.endsWith(".md")).map((file) => relative(root, file));
  for (const path of [...documents, "CHANGELOG.md", ...examples(), ...own]) {
    const text = path.startsWith("docs/site/") ? filled(textOf(path)) : textOf(path);
    write(pageOf(path), withSnippets(path, linked(path, text, files)));
  }
  for (const file of files) {
    mkdirSync(dirname(join(pages, "public/files", file)), { recursive: true });
    copyFileSync(at(file), join(pages, "public/files", shownAs(file)));
  }
}

/** What the examples say of themselves. */
const examples = () => ["", ...readdirSync(at("examples"))].map((name) => join("examples", name, "README.md")).filter((path) => existsSync(at(path)));

/** A page of the site with its lists in place of `<!-- stacks -->` and `<!-- guides -->`, and sections of documents. */
function filled(text) {
  return text
    .replace("<!-- stacks -->", () => stackList())
    .replace("<!-- guides -->", () => guideList())
    .replaceAll(/<!-- (\S+\.md)#(\S+) -->/g, (_, path, anchor) => sectionOf(textOf(path), anchor));
}

/** What stands below a heading, up to the next of its kind. */
function sectionOf(text, anchor) {
  const sections = text.split(/^## /m).slice(1);
  const section = sections.find((candidate) => slugOf(candidate.split("\n")[0]) === anchor);
  if (section === undefined) throw new Error(`no section ${anchor}`);
  return section.slice(section.indexOf("\n")).trim();
}

function stackList() {
  const cards = stacks.map(({ name, text, guide }) => `<a href="./guides/${guide.replace(".md", ".html")}"><b>${name}</b>${text}</a>`);
  return `<div class="stacks">\n${cards.join("\n")}\n</div>`;
}

const guideNames = () => readdirSync(at("docs/guides")).filter((name) => name.endsWith(".md")).map((name) => basename(name, ".md"));

/** The guides by task; those in no list come last. */
function groupedGuides() {
  const names = guideNames();
  const listed = guides.flatMap(({ items }) => items);
  return [...guides, { text: "More", items: names.filter((name) => !listed.includes(name)) }]
    .map(({ text, items }) => ({ text, items: items.filter((name) => names.includes(name)).map((name) => `docs/guides/${name}.md`) }))
    .filter(({ items }) => items.length > 0);
}

function guideList() {
  return groupedGuides()
    .map(({ text, items }) => {
      const rows = items.map((path) => `| [${titleOf(textOf(path))}](../../guides/${basename(path)}) | ${summaryOf(textOf(path))} |`);
      return `## ${text}\n\n| Guide | In a sentence |\n|---|---|\n${rows.join("\n")}`;
    })
    .join("\n\n");
}

/** The lists at the side, as VitePress takes them. */
function lists() {
  const entry = (path) => ({ text: titleOf(textOf(path)), link: `/${pageOf(path).replace(/\.md$/, "")}` });
  const groups = (of) => of.map(({ text, items }) => ({ text, items: items.map(entry) }));
  return { guides: groups(groupedGuides()), background: groups([...background, { text: "Examples", items: examples() }]) };
}

const FENCE = /^```(js|ts|html)\n([^]*?)^```$/gm;

/** A page whose snippets say whether they run, and the modules of those that do. */
function withSnippets(path, text) {
  let count = 0;
  return text.replaceAll(FENCE, (whole, language, code) => {
    const source = language === "ts" ? javaScript(code) : code;
    const reason = language === "html" ? "A file of an app" : obstacle(source);
    if (reason !== undefined) return `<div class="still">\n\n${whole}\n\n<p>${reason}</p></div>`;
    const name = `${pageOf(path).replace(/\.md$/, "").replaceAll("/", "-")}-${(count += 1)}`;
    for (const [file, content] of Object.entries(modulesOf(name, source))) write(join("public/run/snippets", file), content);
    return `<RunnableSnippet name="${name}"${standsIn(source) ? " stands-in" : ""}>\n\n${whole}\n\n</RunnableSnippet>`;
  });
}

/** What is served as it is: the package, what runs snippets, and the icon. */
function writePublic() {
  const scripts = filesIn(packageFolder).filter((file) => /\.(js|wasm|json)$/.test(file));
  for (const file of scripts) cpSync(file, join(pages, "public/package", relative(packageFolder, file)));
  cpSync(at("www/public/favicon.svg"), join(pages, "public/favicon.svg"));
  for (const file of filesIn(join(site, "run"))) cpSync(file, join(pages, "public/run", basename(file)));
}
