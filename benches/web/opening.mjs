/**
 * How long a memory takes to open in a worker, from IndexedDB and from files, with the same values in both: the whole opening, and what
 * of it is reading the storage. Headless Chromium, medians of `ROUNDS` (9), in turn. `FACTS` names another number of facts than 100000.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../../scripts/browser.mjs";
import { root } from "../../scripts/project.mjs";
import { serve } from "../../scripts/serve.mjs";

const FACTS = Number(process.env.FACTS || 100_000);
const ROUNDS = Number(process.env.ROUNDS || 9);

export async function measure() {
  const server = await serve(root, 0);
  const profile = mkdtempSync(join(tmpdir(), "mnemic-opening-"));
  try {
    const context = await launch(profile);
    try {
      const page = await context.newPage();
      await page.goto(`${server.url}/benches/web/support/page.html`);
      const answer = await page.evaluate(
        (given) =>
          new Promise((resolve, reject) => {
            const worker = new Worker("/benches/web/support/opening.js", { type: "module" });
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = ({ message }) => reject(new Error(message));
            worker.postMessage(given);
          }),
        { facts: FACTS, rounds: ROUNDS },
      );
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.rows;
    } finally {
      await context.close();
    }
  } finally {
    await server.close();
    rmSync(profile, { recursive: true, force: true });
  }
}
