/** Chromium, Firefox and WebKit, each with a page that runs steps: it is loaded anew for every step. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { control } from "./browsers/control.mjs";
import { ask, which } from "./command.mjs";
import { Missing } from "./missing.mjs";
import { serve } from "./serve.mjs";

/** A browser, by what opens an address in it, with a folder for its files, and answers how to end it. */
async function browser(name, [served, page], open) {
  const [steps, server, folder] = await Promise.all([control(), serve(served, 0), mkdtemp(join(tmpdir(), "mnemic-browser-"))]);
  const clean = async () => {
    steps.close();
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  let end;
  try {
    end = await open(`${server.url}/${page}?control=${encodeURIComponent(steps.url)}`, folder);
  } catch (error) {
    await clean();
    throw error;
  }
  return {
    name,
    run: steps.run,
    async close() {
      await end();
      await clean();
    },
  };
}

const versionOf = async (program) => /\d+(\.\d+)*/.exec(await ask(program, ["--version"]))?.[0] ?? "";

function program(name, packages) {
  const path = which(name);
  if (path === null) throw new Missing(name, `on Debian: apt-get install ${packages}`);
  return path;
}

/** Starts a program, and answers how to end it with all that it has started. */
function start(path, args, env = {}) {
  const child = spawn(path, args, { stdio: "ignore", detached: true, env: { ...process.env, ...env } });
  const ended = once(child, "exit");
  return async () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await ended;
  };
}

async function chromium(page) {
  return browser(`Chromium ${await versionOf(process.env.CHROMIUM || "/usr/bin/chromium")}`, page, async (url, folder) => {
    const context = await launch(folder);
    await (await context.newPage()).goto(url);
    return () => context.close();
  });
}

/** What keeps a new profile of Firefox from showing pages of its own. */
const FIREFOX = ["browser.shell.checkDefaultBrowser", "browser.aboutwelcome.enabled", "datareporting.policy.dataSubmissionEnabled", "app.normandy.enabled"];

async function firefox(page) {
  const path = program("firefox-esr", "firefox-esr");
  return browser(`Firefox ${await versionOf(path)}`, page, async (url, folder) => {
    await writeFile(join(folder, "user.js"), FIREFOX.map((name) => `user_pref("${name}", false);\n`).join(""));
    return start(path, ["--headless", "--no-remote", "--profile", folder, url], { HOME: folder });
  });
}

async function webkit(page) {
  const path = program("WebKitWebDriver", "webkit2gtk-driver xvfb");
  const screen = program("xvfb-run", "xvfb xauth");
  // The driver tells no version, but its package does.
  const version = await ask("dpkg-query", ["-W", "-f", "${Version}", "webkit2gtk-driver"]);
  return browser(`WebKitGTK ${version?.split("-")[0] ?? ""}`, page, async (url) => {
    const port = 20_000 + (process.pid % 10_000);
    const end = start(screen, ["-a", path, `--port=${port}`]);
    const post = async (address, body) => {
      const response = await fetch(`http://127.0.0.1:${port}/${address}`, { method: "POST", body: JSON.stringify(body) });
      const { value } = await response.json();
      if (!response.ok) throw new Error(`WebKitWebDriver: ${JSON.stringify(value)}`);
      return value;
    };
    try {
      for (let attempt = 0; ; attempt += 1) {
        try {
          await fetch(`http://127.0.0.1:${port}/status`);
          break;
        } catch (error) {
          if (attempt === 100) throw error;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
      const { sessionId } = await post("session", { capabilities: { alwaysMatch: {} } });
      await post(`session/${sessionId}/url`, { url });
    } catch (error) {
      await end();
      throw error;
    }
    return end;
  });
}

/**
 * The browsers by their names. Each opens `page`, a path in `folder`, which runs `answerSteps` of `browsers/steps.mjs`.
 *
 * @type {Record<string, (folder: string, page: string) => Promise<{name: string, run: (step: object) => Promise<any>, close: () => Promise<void>}>>}
 *   `name` has the version; it throws `Missing` where the browser is not installed
 */
export const browsers = Object.fromEntries(
  Object.entries({ chromium, firefox, webkit }).map(([name, open]) => [name, (folder, page) => open([folder, page])]),
);
