/** Chromium, as every test and measurement starts it. */

const args = [
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

/** Starts Chromium; `CHROMIUM` names another program than the system's. */
export async function launch() {
  // Only those who start a browser have installed what drives it.
  const { chromium } = await import("playwright-core");
  return chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args });
}
