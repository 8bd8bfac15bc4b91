/** A Chromium that can be killed as a whole, as a crash or a power button would, on a profile that outlives it. */
import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { flags } from "../browser.mjs";

/** How long a browser may take to start before it counts as broken. */
const START_MS = 30_000;

/** How often a start is tried: after a kill, Chromium now and then hangs when it starts. */
const ATTEMPTS = 3;

/** Starts Chromium on a profile; see `startOnce`. */
export async function start(profile) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(profile);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Starts Chromium on a profile.
 *
 * @param {string} profile a folder
 * @returns {Promise<{context: import("playwright-core").BrowserContext, errors: () => string, kill: () => Promise<void>, close: () => Promise<void>}>}
 *   `errors` is what the browser has logged; `kill` ends all its processes at once with SIGKILL
 */
async function startOnce(profile) {
  const { chromium } = await import("playwright-core");
  const portFile = join(profile, "DevToolsActivePort");
  await rm(portFile, { force: true });
  const child = spawn(
    process.env.CHROMIUM || "/usr/bin/chromium",
    [...flags, "--remote-debugging-port=0", "--enable-logging=stderr", `--user-data-dir=${profile}`, "about:blank"],
    // A process group of its own, so that its children can be killed with it.
    { detached: true, stdio: ["ignore", "ignore", "pipe"] },
  );
  let logged = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (logged += text));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const kill = async () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
    await ended;
  };
  try {
    const port = await portIn(portFile, child);
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    const close = async () => {
      const session = await browser.newBrowserCDPSession();
      await session.send("Browser.close").catch(() => {});
      await ended;
    };
    return { context: browser.contexts()[0], errors: () => logged, kill, close };
  } catch (error) {
    await kill();
    throw new Error(`Chromium did not start: ${error.message}\n${logged}`);
  }
}

/** The port that Chromium has chosen and written down. */
async function portIn(file, child) {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    const [port] = (await readFile(file, "utf8").catch(() => "")).split("\n");
    if (port) return port;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`it wrote no ${file}`);
}
