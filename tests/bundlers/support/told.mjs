/** What apps tell of their conversation with a memory. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { launch, openPage } from "../../package/support/browser.mjs";
import { POLICY } from "../../package/support/page.mjs";
import { serve } from "../../package/support/server.mjs";
import { told } from "../told.js";

let browser;

/** Starts a browser for the tests of a file. */
export function withBrowser() {
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());
}

/** Opens a page, and answers what its conversation told and what it complains of. */
export async function visit(url) {
  const context = await browser.newContext();
  try {
    let workers = 0;
    context.on("page", (page) => page.on("worker", () => (workers += 1)));
    const { page, complaints } = await openPage(context, url);
    const answer = await page.waitForFunction(() => globalThis.told, null, { timeout: 30_000 }).then(
      (handle) => handle.jsonValue(),
      (error) => error.message,
    );
    return { answer, workers, complaints };
  } finally {
    await context.close();
  }
}

/**
 * Fails unless the conversations of a page went as they should, without a complaint: in the page, in a worker and in a shared one,
 * or on `storages` of other kinds, with so many workers of its own.
 */
export async function assertPage(url, { storages = ["indexeddb", "opfs", "indexeddb"], workers = 1 } = {}) {
  const answer = storages.map(told);
  assert.deepEqual(await visit(url), { answer, workers, complaints: [] });
}

/** The same for a built app; it is served under a strict policy, unless its tool writes scripts into the page. */
export async function assertBuilt(folder, { strict = true, ...options } = {}) {
  const server = await serve(folder, { headers: strict ? { "content-security-policy": POLICY } : {} });
  try {
    await assertPage(server.url, options);
  } finally {
    await server.close();
  }
}

/** Fails unless a program that printed its conversation had the right one. */
export function assertPrinted(output) {
  assert.deepEqual(JSON.parse(output.trim().split("\n").at(-1)), told("memory"));
}
