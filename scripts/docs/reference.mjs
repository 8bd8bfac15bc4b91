/** The reference: one page per noun of the package, from the comments in its sources. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Application, Converter, ReflectionKind } from "typedoc";
import typescript from "typescript";
import { filesIn } from "../digest.mjs";
import { Failure } from "../program.mjs";
import { at } from "../project.mjs";

const template = at("pkg-template");
const source = (path) => join(template, "src", path);

/** The entries of the package by the names under which they are imported, such as `mnemic/adapters`. */
export function entries() {
  const { name, exports } = JSON.parse(readFileSync(join(template, "package.json"), "utf8"));
  return Object.entries(exports)
    .filter(([, { types }]) => types?.endsWith(".d.ts") && !types.includes(".wasm"))
    .map(([path, { types }]) => ({ name: join(name, path), file: source(types.replace(".d.ts", ".ts")) }));
}

/** The files that declare what the entries export. */
function declaring(files) {
  const { options } = typescript.parseJsonConfigFileContent(
    typescript.readConfigFile(join(template, "tsconfig.json"), typescript.sys.readFile).config,
    typescript.sys,
    template,
  );
  const program = typescript.createProgram(files, options);
  const checker = program.getTypeChecker();
  const found = files.flatMap((file) => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(file));
    return checker.getExportsOfModule(symbol).flatMap((exported) => {
      const aliased = exported.flags & typescript.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      return aliased.declarations.map((declaration) => declaration.getSourceFile().fileName);
    });
  });
  return [...new Set(found)].filter((file) => file.startsWith(source(""))).sort();
}

/** What TypeDoc calls the module of a file. */
const moduleName = (file) => relative(source(""), file).replace(/(\/index)?\.ts$/, "");

/** Leaves out what a file exports to other files of the package only, and keeps what each entry exports. */
function onlyPublic(app, named) {
  const exported = new Map();
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const modules = new Map(project.children.map((module) => [module.name, module]));
    for (const { name, file } of named) {
      const own = modules.get(moduleName(file)).children ?? [];
      exported.set(name, own.map((child) => (child.kind === ReflectionKind.Reference ? child.getTargetReflectionDeep() : child)));
    }
    const wanted = new Set([...exported.values()].flat());
    const unwanted = project.children.flatMap(({ children = [] }) => children).filter((child) => child.kind !== ReflectionKind.Reference && !wanted.has(child));
    for (const child of unwanted) project.removeReflection(child);
  });
  return exported;
}

/** The first page: each entry with the names it exports. */
function overview(exported, folder) {
  const linkOf = ({ name, parent }) => {
    const page = readFileSync(join(folder, `${parent.name}.md`), "utf8");
    const anchor = page.match(new RegExp(`^### (?:abstract )?${name}\\b.*\\{#(\\S+)\\}$`, "m"))?.[1];
    return `[\`${name}\`](./${parent.name}.md${anchor === undefined ? "" : `#${anchor}`})`;
  };
  const shared = new Set(exported.get([...exported.keys()][0]));
  const sections = [...exported].map(([entry, found], place) => {
    // Other entries export the first one's names too; they are told once.
    const own = place === 0 ? found : found.filter((child) => !shared.has(child));
    const more = own.length < found.length ? ", and the errors and types of the first" : "";
    const names = [...new Set(own.map(linkOf))].sort((one, other) => one.localeCompare(other));
    return `## ${entry}\n\n\`import { … } from "${entry}"\`${more}\n\n${names.join(", ")}`;
  });
  return `# Reference\n\nFrom the comments in the sources: every entry of the package, with all that it exports. [Errors](./errors.md) are in one table.\n\n${sections.join("\n\n")}\n`;
}

/** The list at the side: the pages that declare something, by their folders. */
function listOf(project) {
  const pages = project.children.filter((module) => module.children?.some(({ kind }) => kind !== ReflectionKind.Reference));
  const groupOf = (name) => (name.includes("/") && !/^(types|entry)\//.test(name) ? name.split("/")[0] : pages.some((page) => page.name.startsWith(`${name}/`)) ? name : "");
  const titles = { "": "The memory" };
  const groups = new Map([["", []]]);
  for (const { name } of pages) {
    const group = groupOf(name);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push({ text: name === "entry/browser" ? "openMemory" : name.replace(/^types\//, "type: "), link: `/reference/${name}` });
  }
  const begin = { text: "Reference", items: [{ text: "Entries", link: "/reference/" }, { text: "Errors", link: "/reference/errors" }] };
  return [begin, ...Array.from(groups, ([group, items]) => ({ text: titles[group] ?? group, items: items.filter(({ link }) => link !== "/reference/errors") }))];
}

/** A page on which what it hands on from others is a line of links, and no section for each. */
function withoutHandedOn(text) {
  const [own, others] = text.split(/^## References$/m);
  if (others === undefined) return text;
  const links = Array.from(others.matchAll(/^(?:Re-exports|Renames and re-exports) (\[[^\]]+\]\([^)]+\))$/gm), ([, link]) => link);
  return `${own}## Also exported\n\n${links.join(", ")}\n`;
}

/**
 * A page with its anchors on its headings, and with a list that goes down to the methods of its classes. Headings without an anchor,
 * such as "Parameters", are numbered: their names may be those of what is documented.
 */
function forVitePress(text) {
  let count = 0;
  const named = text.replaceAll(/^<a id="([^"]+)"><\/a>\n\n(#+ .*)$/gm, "$2 {#$1}");
  return `---\noutline: [3, 5]\n---\n\n${named.replaceAll(/^#+ (?!.*\{#\S+\}$).*$/gm, (heading) => `${heading} {#part-${(count += 1)}}`)}`;
}

/**
 * Writes the pages.
 *
 * @param {string} folder where they go
 * @returns the list of them, as VitePress takes it
 */
export async function writeReference(folder) {
  const named = entries();
  const files = named.map(({ file }) => file);
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [...new Set([...files, ...declaring(files)])],
    tsconfig: join(template, "tsconfig.json"),
    plugin: ["typedoc-plugin-markdown"],
    basePath: join(template, "src"),
    // Without `out`, the folder `docs` of the repository would be replaced.
    out: folder,
    cleanOutputDir: false,
    outputFileStrategy: "modules",
    entryFileName: "index",
    readme: "none",
    disableSources: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    skipErrorChecking: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    enumMembersFormat: "table",
    typeDeclarationFormat: "table",
    propertyMembersFormat: "table",
    tableColumnSettings: { hideModifiers: true, hideInherited: true, hideOverrides: true },
    useCodeBlocks: true,
    useHTMLAnchors: true,
    logLevel: "Warn",
  });
  const exported = onlyPublic(app, named);
  const project = await app.convert();
  if (!project) throw new Failure("TypeDoc could not read the sources of the package");
  await app.generateOutputs(project);
  for (const file of filesIn(folder)) writeFileSync(file, forVitePress(withoutHandedOn(readFileSync(file, "utf8"))));
  writeFileSync(join(folder, "index.md"), overview(exported, folder));
  return listOf(project);
}
