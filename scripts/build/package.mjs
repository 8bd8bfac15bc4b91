/** The npm package: compiled TypeScript, the modules with their glue, the documentation, the licences; and its tarball. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { run } from "../command.mjs";
import { digest, filesIn } from "../digest.mjs";
import { Missing } from "../missing.mjs";
import { at, crate, root, settings } from "../project.mjs";
import { whenChanged } from "../stamp.mjs";
import { nameImports } from "./imports.mjs";
import { glueFile, moduleFiles, wasmFolder } from "./wasm.mjs";

/** What pages and workers of apps begin with. */
const PAGE_ENTRIES = ["entry/browser.js", "worker/index.js"];

const template = at("pkg-template");
const packageFolder = at(settings.output.package);
const artifacts = at(settings.output.artifacts);

/** The path of the tarball. */
export async function tarballPath() {
  const { name, version } = await crate();
  return join(artifacts, `${name}-${version}.tgz`);
}

/** Assembles and packs the package, unless nothing it is made of changed. */
export async function buildPackage() {
  // What the README links to comes along, so that its links lead somewhere wherever it is read.
  const documents = [
    // The site is made of the others.
    ...readdirSync(at("docs")).filter((name) => name !== "site").map((name) => `docs/${name}`),
    ...readdirSync(root).filter((name) => name.endsWith(".md") || name.startsWith("LICENSE")),
    // Of the apps their descriptions: whoever runs one leaves behind what is not to be packed.
    ...readdirSync(at("examples"), { recursive: true }).filter((path) => /^(?:[^/\\]+[/\\])?README\.md$/.test(path)).map((path) => `examples/${path}`),
  ];
  const inputs = [template, wasmFolder, ...["scripts/build/package.mjs", "scripts/build/imports.mjs", "scripts/build/reach.mjs", "package-lock.json", "Cargo.toml", ...documents].map((name) => at(name))];
  const tarball = await tarballPath();
  await whenChanged("package", digest(inputs), [packageFolder, tarball], async () => {
    const partial = at(".cache/package.partial");
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    await run(process.execPath, [at("node_modules/typescript/bin/tsc"), "-p", template, "--outDir", partial], { cwd: root });
    await copySources(partial);
    await removeComments(partial);
    for (const entry of PAGE_ENTRIES) nameImports(join(partial, entry));
    for (const name of documents) cpSync(at(name), join(partial, name), { recursive: true });
    rmSync(packageFolder, { recursive: true, force: true });
    renameSync(partial, packageFolder);
    await pack(tarball);
  });
}

/** What the compiler does not write: hand-written declarations, the module, its glue, the manifest. */
async function copySources(folder) {
  const source = join(template, "src");
  for (const file of filesIn(source).filter((file) => file.endsWith(".d.ts"))) {
    cpSync(file, join(folder, relative(source, file)));
  }
  for (const file of moduleFiles) {
    copyFileSync(join(wasmFolder, file), join(folder, file));
    writeFileSync(join(folder, `${file}.d.ts`), MODULE_TYPES);
  }
  writeInline(join(folder, "inline"));
  const { glueFactory } = await import(join(template, "glue.mjs"));
  writeFileSync(join(folder, glueFile), glueFactory(readFileSync(join(wasmFolder, glueFile), "utf8")));
  const manifest = JSON.parse(readFileSync(join(template, "package.json"), "utf8"));
  const { name, version } = await crate();
  if (manifest.name !== name) {
    throw new Missing(`one name for crate and package (${name}, ${manifest.name})`, "make the names in Cargo.toml and pkg-template/package.json equal");
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
}

/** What `import module from "mnemic/mnemic_bg.wasm"` is. */
const MODULE_TYPES = `/** The module, compiled: so it is imported in Workers. */
declare const module: WebAssembly.Module;
export default module;
`;

/** Writes the modules as text into scripts, and the script that finds these by their names. */
function writeInline(folder) {
  const loaders = moduleFiles.map((file) => {
    const script = file.replace(".wasm", ".js");
    const text = gzipSync(readFileSync(join(wasmFolder, file)), { level: 9 }).toString("base64");
    writeFileSync(join(folder, script), `export default "${text}";\n`);
    return `  "${file}": () => import("./${script}"),\n`;
  });
  writeFileSync(join(folder, "modules.js"), `export const modules = {\n${loaders.join("")}};\n`);
}

/** Takes the comments out of the scripts. They stay in the declarations, where editors read them. */
async function removeComments(folder) {
  const { default: typescript } = await import("typescript");
  const { ModuleKind, ScriptTarget } = typescript;
  const compilerOptions = { removeComments: true, target: ScriptTarget.ES2022, module: ModuleKind.ESNext };
  for (const file of filesIn(folder).filter((file) => file.endsWith(".js"))) {
    writeFileSync(file, typescript.transpileModule(readFileSync(file, "utf8"), { compilerOptions, fileName: file }).outputText);
  }
}

async function pack(tarball) {
  mkdirSync(artifacts, { recursive: true });
  // One tarball at a time, so that nobody tests an old one.
  for (const name of readdirSync(artifacts).filter((name) => name.endsWith(".tgz"))) rmSync(join(artifacts, name));
  await run("npm", ["pack", packageFolder, "--pack-destination", artifacts, "--ignore-scripts", "--silent"], { cwd: root });
  if (!existsSync(tarball)) throw new Missing(relative(root, tarball), "npm pack named its file otherwise; see above");
}
