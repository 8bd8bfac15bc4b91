/** Pages whose every complaint is kept. */
export { launch } from "../../../scripts/browser.mjs";

/**
 * Opens a page.
 *
 * @param {import("playwright-core").BrowserContext} context
 * @returns the page, and `complaints`: errors and warnings of its console, uncaught errors, and breaches of its policy
 */
export async function openPage(context, url) {
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.stack ?? error}`));
  page.on("console", (message) => {
    const { url: from } = message.location();
    if (["error", "warning"].includes(message.type()) && !from.endsWith("/favicon.ico")) {
      complaints.push(`${message.type()}: ${message.text()}`);
    }
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  await page.goto(url);
  return { page, complaints };
}

/**
 * Waits until what a page is asked is true. Unlike Playwright's own `waitForFunction`, which takes a promise for true, it waits for
 * the answer of an async function.
 *
 * @param ask a function that is evaluated in the page with `argument`
 * @throws when it is not true after 30 s
 */
export async function waitUntil(page, ask, argument) {
  const end = Date.now() + 30_000;
  while (!(await page.evaluate(ask, argument))) {
    if (Date.now() > end) throw new Error(`not true within 30 s: ${ask}`);
    await page.waitForTimeout(20);
  }
}
