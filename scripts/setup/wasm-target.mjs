/** The compiler for wasm32-unknown-unknown, by one of two routes. MNEMIC_WASM_ROUTE forces `rustup` or `debian`. */
import { CommandFailed } from "../command.mjs";
import { say } from "../log.mjs";
import { Missing } from "../missing.mjs";
import { linker } from "./debian-packages.mjs";
import { debianTarget } from "./debian-target.mjs";
import { rust } from "./rust.mjs";
import { rustupTarget } from "./rustup-target.mjs";

const routes = [rustupTarget, debianTarget];

function allowedRoutes() {
  const forced = process.env.MNEMIC_WASM_ROUTE;
  if (!forced) return routes;
  const allowed = routes.filter(({ name }) => name === forced);
  if (allowed.length === 0) {
    throw new Missing(`a wasm route named ${forced}`, "set MNEMIC_WASM_ROUTE to rustup or debian, or leave it unset");
  }
  return allowed;
}

/** How to build for wasm: the first route that is complete, or null. */
export async function wasmCompiler() {
  for (const route of allowedRoutes()) {
    const found = await route.find();
    if (found) return found;
  }
  return null;
}

export const wasmTarget = {
  name: "wasm32-unknown-unknown",
  expected: "10 s by rustup, 2 min by Debian",
  after: [rust, linker],

  async find() {
    const found = await wasmCompiler();
    return found && `by ${found.route}, ${found.compiler.split("\n")[0]}`;
  },

  /** Tries the routes in turn until one is complete. */
  async install() {
    const failures = [];
    for (const route of allowedRoutes()) {
      say(`  trying the ${route.name} route`);
      try {
        await route.install();
        if (await route.find()) return;
        failures.push(`${route.name}: installed without an error, and yet not usable`);
      } catch (error) {
        if (!(error instanceof CommandFailed || error instanceof Missing)) throw error;
        failures.push(`${route.name}: ${error.message}`);
      }
      say(`  ${failures.at(-1)}`);
    }
    throw new Missing(
      `the wasm32-unknown-unknown target\n   ${failures.join("\n   ")}`,
      "rustup target add wasm32-unknown-unknown, or a Debian machine where root can run apt-get",
    );
  },
};
