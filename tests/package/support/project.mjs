/** A project of a user: a folder outside the repository with the tarball installed by npm. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root, tarball } from "./tarball.mjs";

const execute = promisify(execFile);

/**
 * Makes a project.
 *
 * @param {Record<string, string>} files paths and contents
 * @param {string[]} developmentPackages packages of the repository's node_modules that the project sees too
 */
export async function createProject(files = {}, developmentPackages = []) {
  const folder = await mkdtemp(join(tmpdir(), "mnemic-project-"));
  const project = {
    folder,
    path: (...parts) => join(folder, ...parts),
    async write(path, content) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
      return join(folder, path);
    },
    /** Imports a module that is written into the project, so that bare names are resolved as a user's are. */
    async import(source) {
      return import(pathToFileURL(await project.write(`module-${Math.random().toString(36).slice(2)}.mjs`, source)).href);
    },
    /** Runs a script of the project with Node; answers what it printed, and fails when it does not end by itself. */
    async run(path, ...args) {
      const { stdout } = await execute(process.execPath, [...args, path], { cwd: folder, timeout: 120_000 });
      return stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
  await project.write("package.json", JSON.stringify({ name: "project", private: true, type: "module" }));
  for (const [path, content] of Object.entries(files)) await project.write(path, content);
  await execute(
    "npm",
    ["install", tarball(), "--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"],
    { cwd: folder },
  );
  for (const name of developmentPackages) {
    await mkdir(dirname(project.path("node_modules", name)), { recursive: true });
    await symlink(join(root, "node_modules", name), project.path("node_modules", name));
  }
  return project;
}
