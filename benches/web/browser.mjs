/** The package in headless Chromium, kept in IndexedDB on the disk; every opening is timed on a page of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "../../scripts/browser.mjs";
import { root } from "../../scripts/project.mjs";
import { serve } from "../../scripts/serve.mjs";
import { summary } from "./support/timing.mjs";

/** With them a page measures times to 5 microseconds, without them to 100. */
const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
const STARTS = 7;
const OPENINGS = 9;
const FACTS = 10_000;
const KEPT = { storage: "indexeddb", durability: "relaxed" };

export async function measure() {
  const server = await serve(root, 0, ISOLATION);
  // Not an incognito context, whose databases never reach the disk.
  const profile = mkdtempSync(join(tmpdir(), "mnemic-bench-"));
  const browser = await launch(profile);
  /** Runs one of the page's benches on a fresh page. */
  const onPage = async (name, ...values) => {
    const page = await browser.newPage();
    try {
      await page.goto(`${server.url}/benches/web/support/page.html`);
      await page.waitForFunction(() => globalThis.bench !== undefined);
      return await page.evaluate(([name, values]) => bench[name](...values), [name, values]);
    } finally {
      await page.close();
    }
  };
  const repeated = async (count, name, ...values) => {
    const answers = [];
    for (let number = 0; number < count; number += 1) answers.push(await onPage(name, ...values));
    return answers;
  };
  try {
    return [
      ...starting(await repeated(STARTS, "start")),
      ...(await onPage("profile")),
      ...remembering(await onPage("remember", "relaxed", 100), "relaxed", 10),
      ...remembering(await onPage("remember", "strict", 50), "strict"),
      ...(await filling(onPage, repeated)),
      ...(await onPage("importing", { name: "import", storage: "indexeddb", durability: "relaxed" }, FACTS)),
      ...(await onPage("messages", { name: "messages", storage: "indexeddb", durability: "relaxed" }, 10_000)),
      ...(await onPage("messages", { name: "messages", storage: "memory", durability: "relaxed" }, 100_000)),
      ...(await onPage("guarding", { name: "guard", ...KEPT })),
      ...(await onPage("transferring", { name: "transfer", ...KEPT }, 10_000)),
      ...(await onPage("forgetting", { name: "forget-10k", ...KEPT }, 10_000)),
      ...(await onPage("forgetting", { name: "forget-100k", ...KEPT }, 100_000)),
    ];
  } finally {
    await browser.close();
    await server.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

function starting(starts) {
  return [
    { name: "import", ...summary(starts.map(([imported]) => imported)), unit: "ms" },
    { name: "first openMemory: fetch, compile and start", ...summary(starts.map(([, opened]) => opened)), unit: "ms" },
  ];
}

function remembering({ times, plain }, durability, target) {
  const peer = { name: `a plain ${durability} transaction`, value: plain.value };
  return [{ name: `remember of 2 messages, indexeddb, ${durability}`, ...times, unit: "ms", target, peer }];
}

async function filling(onPage, repeated) {
  const { rows, expected } = await onPage("facts", FACTS);
  const openings = await repeated(OPENINGS, "open", expected);
  const plain = await repeated(OPENINGS, "openPlain", FACTS);
  const peer = { name: "getAll and MiniSearch", value: summary(plain).value };
  return [
    ...rows,
    ...(await encrypting(onPage, repeated)),
    { name: `open ${FACTS / 1000}k facts on a fresh page`, ...summary(openings.map(({ opened }) => opened)), unit: "ms", target: 120, peer },
    { name: "the same, until the first recall is answered", ...summary(openings.map(({ recalled }) => recalled)), unit: "ms", peer },
  ];
}

/** Opening encrypted memories and ones that are not, by turns; and what a passphrase adds, which is so much on purpose. */
async function encrypting(onPage, repeated) {
  const rows = [];
  for (const users of [1, 100]) rows.push(...(await comparing(onPage, users)));
  return [...rows, { name: "from a passphrase to an open memory", ...summary(await repeated(OPENINGS, "passphrase")), unit: "ms" }];
}

/** The same facts of so many users, each with a key of its own where they are encrypted. */
async function comparing(onPage, users) {
  const [expectedPlain, expected] = [await onPage("fillOf", FACTS, users, false), await onPage("fillOf", FACTS, users, true)];
  const [plain, encrypted] = [[], []];
  for (let number = 0; number < OPENINGS; number += 1) {
    plain.push(await onPage("openOf", users, false, expectedPlain));
    encrypted.push(await onPage("openOf", users, true, expected));
  }
  const of = (openings, part) => summary(openings.map((opening) => opening[part]));
  const row = (name, part) => {
    const { value } = of(plain, part);
    return { name, ...of(encrypted, part), unit: "ms", target: 1.5 * value, peer: { name: "not encrypted", value } };
  };
  return [
    row(`open ${FACTS / 1000}k encrypted facts of ${users === 1 ? "a user" : `${users} users`} by a key`, "opened"),
    row("the same, until the first recall is answered", "recalled"),
  ];
}
