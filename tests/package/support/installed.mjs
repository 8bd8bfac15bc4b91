/** The installed package, for tests that import it and nothing else: a project of its own for each file of tests. */
import { after } from "node:test";
import { createProject } from "./project.mjs";

export const project = await createProject();
after(() => project.remove());

/** What `mnemic` gives. */
export const mnemic = await project.import('export * from "mnemic";');
