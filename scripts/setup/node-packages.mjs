/** The packages of a package.json, as its lock file names them, and with no install scripts. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run, which } from "../command.mjs";
import { digest } from "../digest.mjs";
import { Missing } from "../missing.mjs";
import { at, root } from "../project.mjs";

const oldestNode = [20, 11];

/** A piece of the set-up; the packages of any of `scopes` are enough. */
function packages(name, expected, scopes, omit = [], folder = root) {
  // Written last, inside the folder it vouches for: an interrupted installation has none.
  const stamp = join(folder, "node_modules/.complete");
  const manifests = ["package.json", "package-lock.json"].map((file) => join(folder, file));
  const keyOf = (scope) => `${scope} ${digest(manifests, process.version)}`;
  const stamped = () => (existsSync(stamp) ? readFileSync(stamp, "utf8") : "");
  return {
    name,
    expected,

    async find() {
      const [major, minor] = process.versions.node.split(".").map(Number);
      if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
        throw new Missing(`node ${oldestNode.join(".")} or newer (found ${process.version})`, "install a newer node");
      }
      const installed = stamped();
      return scopes.some((scope) => installed === keyOf(scope)) ? `complete, node ${process.version}` : null;
    },

    async install() {
      if (!which("npm")) throw new Missing("npm", "install it with node 20, for instance: apt-get install npm");
      // What the tests take stays when a new lock file is installed for a build.
      const scope = scopes.find((scope) => stamped().startsWith(`${scope} `)) ?? scopes[0];
      const left = scope === scopes[0] ? omit : [];
      rmSync(stamp, { force: true });
      await run("npm", ["ci", ...left, "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, label: "npm" });
      writeFileSync(stamp, keyOf(scope));
    },
  };
}

/** What builds the package, the demo and the documentation: the `dependencies`. */
export const buildPackages = packages("node packages", "10 s", ["build", "all"], ["--omit=dev"]);

/** All; the `devDependencies` are what tests and measurements take. */
export const allPackages = packages("node packages of the tests", "15 s", ["all"]);

/** Those of the example for Cloudflare, with its tool to try it and deploy it. */
export const examplePackages = packages("node packages of the example for Cloudflare", "15 s", ["all"], [], at("examples/cloudflare"));

/** Those of the example for Next.js and the AI SDK. */
export const chatPackages = packages("node packages of the example for Next.js", "20 s", ["all"], [], at("examples/next-ai-sdk"));

/** Those of the example for Vite and React. */
export const pagePackages = packages("node packages of the example for Vite and React", "10 s", ["all"], [], at("examples/vite-react-chat"));

/** Those of the example for assistant-ui. */
export const assistantPackages = packages("node packages of the example for assistant-ui", "15 s", ["all"], [], at("examples/vite-assistant-ui"));

/** Agent Chat UI, which an example gives a memory, with what it imports. */
export const agentChatPackages = packages("Agent Chat UI", "40 s", ["all"], [], at("examples/agent-chat-ui"));

/** The bundlers and runtimes that the package is tried with, nearly a gigabyte. */
export const bundlerPackages = packages("bundlers", "2 min", ["all"], [], at("tests/bundlers"));

/** What mnemic is measured beside, without the many packages that some of it could be used with. */
export const peerPackages = packages("packages of the peers", "30 s", ["all"], ["--omit=peer"], at("benches/peers"));
