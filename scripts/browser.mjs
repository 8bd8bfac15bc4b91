/** Chromium, as every test and measurement starts it. */

/** The flags it is started with. */
export const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
];

/** Starts Chromium; `CHROMIUM` names another program than the system's. With a `profile`, a folder, its databases reach the disk. */
export async function launch(profile) {
  // Only those who start a browser have installed what drives it.
  const { chromium } = await import("playwright-core");
  const options = { executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: flags };
  return profile === undefined ? chromium.launch(options) : chromium.launchPersistentContext(profile, options);
}
