/** Every page of the site: its links, what it loads, and how it is to be read. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { stacks } from "../../docs/site/contents.mjs";
import { errors } from "../../scripts/docs/errors.mjs";
import { entries } from "../../scripts/docs/reference.mjs";
import { docsFolder } from "../../scripts/docs/build.mjs";
import { root } from "../../scripts/project.mjs";
import { launch, openPage } from "../package/support/browser.mjs";
import { documents, textOf } from "../package/support/snippets.mjs";
import { pages, serveDocs } from "./support/site.mjs";

const all = new Map(pages().map(({ path, html }) => [path, html]));
const idsOf = (html) => new Set(Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id]) => id));
const ids = new Map([...all].map(([path, html]) => [path, idsOf(html)]));
const plain = (text) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** Why a link of a page leads nowhere; undefined when it leads somewhere. */
function fault(path, target) {
  const url = new URL(plain(target), `http://here/docs/${path}`);
  if (url.host !== "here" || url.protocol !== "http:") return undefined;
  if (url.pathname === "/") return undefined;
  const name = decodeURIComponent(url.pathname).replace(/^\/docs\//, "").replace(/(^|\/)$/, "$1index.html");
  if (!existsSync(join(docsFolder, name))) return "no such page";
  const anchor = decodeURIComponent(url.hash.slice(1));
  return anchor === "" || !name.endsWith(".html") || ids.get(name).has(anchor) ? undefined : "no such place";
}

describe("the pages", () => {
  test("there is one for every document, concept and entry", () => {
    const guides = documents.filter((path) => path.startsWith("docs/")).map((path) => path.replace(/^docs\/(.*)\.md$/, "$1.html"));
    assert.deepEqual([...guides, "start.html", "index.html", "guides/index.html"].filter((path) => !all.has(path)), []);
    const overview = all.get("reference/index.html");
    assert.deepEqual(entries().filter(({ name }) => !overview.includes(`from &quot;${name}&quot;`)), []);
  });

  test("every example has a page, and a list of all leads to it", () => {
    const examples = readdirSync(join(root, "examples")).filter((name) => !name.includes("."));
    assert.ok(examples.length > 3);
    assert.deepEqual(examples.filter((name) => !all.get("examples/index.html").includes(`href="/docs/examples/${name}.html"`) || !all.has(`examples/${name}.html`)), []);
  });

  test("every link leads to a page and a place that exist", () => {
    const broken = [...all].flatMap(([path, html]) =>
      Array.from(html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g), ([, target]) => [path, target, fault(path, target)]).filter(([, , wrong]) => wrong),
    );
    assert.deepEqual(broken, []);
    assert.equal(fault("index.html", "./nowhere.html"), "no such page");
    assert.equal(fault("index.html", "./start.html#nowhere"), "no such place");
  });

  test("nothing is loaded from elsewhere, and no script stands in a page", () => {
    for (const [path, html] of all) {
      const loaded = Array.from(html.matchAll(/<(?:script|link|img)\b[^>]*\s(?:src|href)="([^"]+)"/g), ([, target]) => target);
      assert.deepEqual(loaded.filter((target) => /^(https?:)?\/\//.test(target)), [], path);
      assert.deepEqual(html.match(/<script(?![^>]*\ssrc=)[^>]*>/g) ?? [], [], path);
      assert.match(html, /http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'/);
    }
  });

  test("every entry for a framework can be picked as a stack, and every stack that has an entry its guide", () => {
    const guides = stacks.map(({ guide }) => textOf(`docs/guides/${guide.split("#")[0]}`));
    const missing = entries().map(({ name }) => name).filter((name) => !isGeneral(name) && !guides.some((guide) => guide.includes(`"${name}"`) || guide.includes(`\`${name}\``)));
    assert.deepEqual(missing, []);
  });

  const isGeneral = (name) => /^mnemic(\/(slim|inline|worker|adapters|embedders|cloudflare\/client))?$/.test(name);

  test("what the package keeps to itself is not in the reference", () => {
    const shown = all.get("reference/errors.html");
    assert.deepEqual(["errorOf", "failure", "typed"].filter((name) => shown.includes(`id="${name.toLowerCase()}"`)), []);
  });

  test("every option of openMemory is in the reference", () => {
    const names = Array.from(textOf("pkg-template/src/options.ts").matchAll(/^ {2}readonly (\w+)\??:/gm), ([, name]) => name);
    assert.ok(names.length > 40, `only ${names.length}`);
    const shown = all.get("reference/options.html").replaceAll(/<[^>]+>/g, " ");
    assert.deepEqual(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(shown)), []);
  });

  test("every error has its row, with what to do", () => {
    const html = all.get("reference/errors.html");
    assert.ok(errors().length >= 25);
    for (const { name, code, cure } of errors()) {
      assert.ok(html.includes(`id="${name.toLowerCase()}"`) && html.includes(`<code>${code}</code>`), name);
      assert.ok(cure.length > 10, `${name} needs @remarks that say what to do`);
    }
  });
});

/** A page of each kind. */
const kinds = ["index.html", "start.html", "guides/recall.html", "concepts/learning.html", "reference/index.html", "reference/facts.html", "reference/errors.html", "comparison.html", "peers.html"];
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

describe("reading", () => {
  let server, browser;

  before(async () => {
    server = await serveDocs();
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing, ${colorScheme}`, async () => {
      // The policy of the pages forbids even the test's script.
      const context = await browser.newContext({ colorScheme, bypassCSP: true });
      for (const path of kinds) {
        const { page, complaints } = await openPage(context, server.url + path);
        await page.addScriptTag({ path: axe });
        // What is the same in both is looked at once.
        const { violations } = await page.evaluate((options) => axe.run(options), colorScheme === "dark" ? { runOnly: ["color-contrast"] } : {});
        assert.deepEqual(violations.map(({ id, nodes }) => [path, id, nodes.slice(0, 3).map(({ html, failureSummary }) => [html, failureSummary])]), []);
        assert.equal(await page.evaluate(() => document.documentElement.classList.contains("dark")), colorScheme === "dark");
        assert.deepEqual(complaints, []);
        await page.close();
      }
      await context.close();
    });
  }

  test("no page is wider than a phone of 360 pixels", async () => {
    // The pages are whole without their scripts, and sooner there.
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, javaScriptEnabled: false });
    const page = await context.newPage();
    const wide = [];
    // Pages of the reference are all of one making.
    for (const path of [...all.keys()].filter((path) => !path.startsWith("reference/") || kinds.includes(path))) {
      await page.goto(server.url + path);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > 360) wide.push([path, width]);
    }
    assert.deepEqual(wide, []);
    await context.close();
  });

  test("the search finds guides, options and errors", async () => {
    const context = await browser.newContext();
    const { page, complaints } = await openPage(context, `${server.url}start.html`);
    // The first place of what is found, and how far down it may stand.
    for (const [words, path, most] of [
      ["forgetting", "guides/forgetting.html", 1],
      ["encryption", "guides/encryption.html", 1],
      ["delete user", "guides/forgetting.html", 3],
      ["GDPR", "guides/forgetting.html", 1],
      ["migrate", "guides/imports.html", 1],
      ["postgres", "comparison.html", 1],
      ["SvelteKit", "guides/react.html", 1],
      ["react", "guides/react.html", 2],
      ["quota", "guides/storage.html", 10],
      ["maxMemoryBytes", "guides/storage.html", 3],
      ["useFacts", "reference/react/hooks.html", 2],
      ["WrongKeyError", "reference/errors.html#wrongkeyerror", 1],
      ["StorageError", "reference/errors.html#storageerror", 1],
      ["nextjs", "guides/bundlers.html#nextjs", 1],
      ["next.js", "examples/next-ai-sdk.html", 5],
      ["nodejs", "guides/node.html", 2],
      ["the log and the storage", "concepts/storage.html", 1],
    ]) {
      await page.getByRole("button", { name: "Search" }).first().click();
      // It opens with what was looked for last, whose results may have the place too.
      await page.getByRole("searchbox").fill("");
      await page.locator(".result").first().waitFor({ state: "detached" });
      await page.getByRole("searchbox").fill(words);
      await page.locator(`.result[href*="${path}"]`).first().waitFor();
      const found = await page.locator(".result").evaluateAll((results) => results.map((result) => result.getAttribute("href")));
      const place = found.findIndex((target) => target.includes(path)) + 1;
      assert.ok(place <= most, `${words}: ${path} is number ${place} of ${JSON.stringify(found.slice(0, place))}`);
      await page.keyboard.press("Escape");
    }
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("a picture tells a screen reader what it shows", () => {
    for (const name of ["learning", "scopes", "storage", "places"]) {
      const html = all.get(`concepts/${name}.html`);
      assert.match(html, /<svg[^>]*role="img"[^>]*aria-labelledby="(\S+) (\S+)"[^]*?<title id="\1">[^<]+<\/title>\s*<desc id="\2">[^<]{60,}/);
    }
  });
});
