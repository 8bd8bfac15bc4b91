/** Pages with a `<mnemic-panel>` and a memory of their own. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { createProject } from "./project.mjs";
import { serve } from "./server.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pictures = fileURLToPath(new URL("../../../artifacts/screenshots/panel/", import.meta.url));
/** Styles and scripts only from files: what is adopted needs no more. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'";

const SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name" }, place: { type: "string", title: "Home" }, likes: { type: "array", items: { type: "string" }, title: "Likes" },
    status: { enum: ["student", "retired"], title: "Work" }, age: { type: "integer", title: "Age" },
  },
};

export const PANEL = {
  /** Puts something into every section. */
  fill: async () => {
    await user.remember([{ role: "user", content: "I live in Lisbon. I love spicy food." }, { role: "assistant", content: "Lisbon is lovely." }], { threadId: "today" });
    await user.facts.import([{ text: "Ana plays the cello in an orchestra", category: "preference", significance: 8 }, { text: "Ana sails" }]);
    const [fact] = await user.facts.list({ limit: 1 });
    await user.facts.update(fact.id, { text: "Ana sails every summer" });
    await user.profiles.patch("about", { name: "Ana", likes: ["sailing", "chess"], age: 30 });
    await user.graph.create_entities({ entities: [{ name: "Ana", entityType: "person", observations: ["plays the cello"] }, { name: "Orchestra", entityType: "group", observations: [] }] });
    await user.graph.create_relations({ relations: [{ from: "Ana", relationType: "plays_in", to: "Orchestra" }] });
    await user.instructions.set("Answer in one sentence.");
    await user.episodes.add({ situation: "The soup was too salty", approach: "Boiled a potato in it", outcome: "It could be eaten" });
    await user.documents.put(["notes"], "band", { text: "The cello is out of tune." });
    await user.context.blocks.set({ label: "persona", value: "Friendly and brief." });
    await panel.refresh();
  },
};

export async function startPanels() {
  const project = await createProject({ "panel.html": PAGE, "page.js": SCRIPT, "favicon.ico": "" });
  const server = await serve(project.folder, { headers: { "content-security-policy": POLICY } });
  const browser = await launch();
  const folder = join(project.folder, "node_modules/mnemic/panel");
  return {
    browser, url: `${server.url}panel.html`, entry: pathToFileURL(join(folder, "index.js")).href,
    async tables() {
      const codes = ["en", "de", "es", "ja", "ko", "zh"];
      return Object.fromEntries(await Promise.all(codes.map(async (code) => [code, Object.values(await import(pathToFileURL(join(folder, `texts/${code}.js`)).href))[0]])));
    },
    async picture(page, name) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}${name}.png` });
    },
    async close() {
      await browser.close();
      await server.close();
      await project.remove();
    },
  };
}

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Panel</title>
  <link rel="icon" href="favicon.ico"></head><body><main></main><script type="module" src="page.js"></script></body></html>`;

/** Makes a panel as the address of the page asks for. */
const SCRIPT = `
  import { openMemory } from "./node_modules/mnemic/entry/browser.js";
  import { define } from "./node_modules/mnemic/panel/index.js";
  const schema = ${JSON.stringify(SCHEMA)};
  const asked = JSON.parse(decodeURIComponent(location.hash.slice(1)) || "{}");
  const memory = await openMemory({ name: "panel", profiles: { about: schema }, ...asked.options });
  const user = memory.scope({ userId: "ana" });
  Object.assign(document.documentElement, asked.html);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("body { color: CanvasText; background: Canvas; } " + (asked.style ?? ""));
  document.adoptedStyleSheets = [sheet];
  if (!asked.isEarly) define();
  const panel = document.createElement("mnemic-panel");
  if (asked.dir) panel.dir = asked.dir;
  if (asked.sections) panel.setAttribute("sections", asked.sections);
  if (asked.children) panel.innerHTML = asked.children;
  panel.profiles = { about: schema };
  if (asked.showsSources) panel.showSource = (source) => globalThis.sources.push(source.quote);
  panel.addEventListener("mnemic-section", ({ detail }) => globalThis.seen?.push(detail.section));
  panel.addEventListener("mnemic-error", ({ detail }) => console.error(detail.message));
  panel.user = user;
  document.querySelector("main").append(panel);
  if (asked.isEarly) define();
  Object.assign(globalThis, { memory, user, panel, define });
`;

/** Opens a panel for a user of its own; `asked` is what SCRIPT understands. */
export async function open(panels, { context: options = {}, before, ...asked } = {}) {
  const context = await panels.browser.newContext(options);
  context.setDefaultTimeout(10_000);
  if (before) await context.addInitScript(before);
  const { page, complaints } = await openPage(context, `${panels.url}#${encodeURIComponent(JSON.stringify(asked))}`);
  await page.waitForFunction(() => globalThis.panel?.shadowRoot.querySelector(".tab-panel"));
  await page.evaluate(() => globalThis.panel.refresh());
  return {
    page, context,
    /** Leaves; fails when the page complained about anything but what was expected. */
    async leave(expected) {
      assert.deepEqual(complaints.filter((complaint) => !expected?.test(complaint)), []);
      await context.close();
    },
  };
}

/** What axe finds wrong. */
export async function faultsOf(page) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true }, "page-has-heading-one": { enabled: false }, region: { enabled: false } } }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary}`).join("; ")}`);
}
