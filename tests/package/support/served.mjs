/** A project that is served to a browser, under the policy of a strict page, for the tests of a file. */
import { launch } from "./browser.mjs";
import { POLICY } from "./page.mjs";
import { createProject } from "./project.mjs";
import { serve } from "./server.mjs";

/** @returns the project, its server and a browser; `close` ends all three. */
export async function serveProject(files) {
  const begun = [];
  const close = async () => {
    for (const end of begun.splice(0).reverse()) await end();
  };
  try {
    const project = await createProject(files);
    begun.push(() => project.remove());
    const server = await serve(project.folder, { headers: { "content-security-policy": POLICY } });
    begun.push(() => server.close());
    const browser = await launch();
    begun.push(() => browser.close());
    return { project, server, browser, close };
  } catch (error) {
    await close();
    throw error;
  }
}
