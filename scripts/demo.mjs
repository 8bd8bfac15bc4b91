/** The demo in www/, built from the packed package as a user would. */
import { rmSync } from "node:fs";
import { relative } from "node:path";
import { tarballPath } from "./build/package.mjs";
import { run } from "./command.mjs";
import { digest } from "./digest.mjs";
import { at, crate } from "./project.mjs";
import { whenChanged } from "./stamp.mjs";

const folder = at("www");

/** Where the built demo is. */
export const demoFolder = at("www/dist");

/** Installs the tarball into the demo and builds it, unless nothing it is made of changed. */
export async function buildDemo() {
  const tarball = await tarballPath();
  const { name } = await crate();
  const installed = at("www/node_modules", name);
  await whenChanged("demo", digest([folder, tarball, at("package-lock.json")]), [demoFolder, installed], async () => {
    // npm takes a package of the same version for installed, whatever it contains.
    rmSync(installed, { recursive: true, force: true });
    // Its compiler and bundler are those of the workspace: npm looks for programs in the folders above, too.
    const quietly = ["--omit=dev", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--offline"];
    await run("npm", ["install", ...quietly, relative(folder, tarball)], { cwd: folder });
    await run("npm", ["run", "build"], { cwd: folder });
  });
}
