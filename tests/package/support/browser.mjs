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
