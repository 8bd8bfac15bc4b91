/** The demo in www/, built from the packed package as a user would. */
import { mkdirSync, rmSync } from "node:fs";
import { tarballPath } from "./build/package.mjs";
import { run } from "./command.mjs";
import { digest } from "./digest.mjs";
import { at, crate } from "./project.mjs";
import { whenChanged } from "./stamp.mjs";

const folder = at("www");

/** Where the built demo is. */
export const demoFolder = at("www/dist");

/** Unpacks the tarball into the demo and builds it, unless nothing it is made of changed. */
export async function buildDemo() {
  const tarball = await tarballPath();
  const { name } = await crate();
  const installed = at("www/node_modules", name);
  await whenChanged("demo", digest([folder, tarball, at("package-lock.json")]), [demoFolder, installed], async () => {
    // npm would look up the demo's compiler and bundler as well; the workspace has them, and npm finds programs above.
    rmSync(installed, { recursive: true, force: true });
    mkdirSync(installed, { recursive: true });
    await run("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
    await run("npm", ["run", "build"], { cwd: folder });
  });
}
