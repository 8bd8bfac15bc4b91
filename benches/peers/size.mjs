/** What each subject weighs on a page: its scripts bundled and minified by Vite, and its WebAssembly, both after gzip. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundleScripts } from "./bundle.mjs";
import { subjects } from "./subjects.mjs";
import { at } from "../../scripts/project.mjs";

/** What of mnemic a page loads that remembers and searches. */
const MNEMIC = { entry: at("pkg/entry/browser.js"), wasm: ["mnemic_bg.wasm", "mnemic_search.wasm"].map((file) => at("pkg", file)) };

const packages = join(import.meta.dirname, "node_modules");
const weight = (content) => gzipSync(content, { level: 9 }).length;

/** A row of each subject that can be bundled, in bytes. */
export async function sizes() {
  const rows = [];
  for (const subject of subjects) {
    const own = subject.id === "mnemic" ? MNEMIC : { entry: subject.entry && join(packages, subject.entry), wasm: (subject.wasm ?? []).map((path) => join(packages, path)) };
    if (own.entry === undefined) continue;
    const wasm = own.wasm.reduce((sum, file) => sum + weight(readFileSync(file)), 0);
    const row = { axis: "size", subject: subject.name };
    try {
      rows.push({ ...row, scripts: (await bundleScripts(own.entry)).reduce((sum, code) => sum + weight(code), 0), wasm });
    } catch (error) {
      rows.push({ ...row, scripts: "fails", wasm });
    }
  }
  return rows;
}
