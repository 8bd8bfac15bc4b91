/** What comes from Debian: a linker for native builds, the certificates cargo trusts, and a browser for tests. */
import { existsSync } from "node:fs";
import { which } from "../command.mjs";
import { aptInstall, unfinished } from "./apt.mjs";

/** A piece of the set-up of `parts`: each a program on PATH, or a file, and the packages it comes from. */
function fromDebian(name, expected, parts) {
  async function missing() {
    const broken = await unfinished(parts.flatMap(({ packages }) => packages));
    const isHere = (part) => which(part) !== null || (part.startsWith("/") && existsSync(part));
    return parts
      .filter(({ part, packages }) => !isHere(part) || packages.some((name) => broken.includes(name)))
      .flatMap(({ packages }) => packages);
  }
  return {
    name,
    expected,
    async find() {
      return (await missing()).length > 0 ? null : parts.map(({ part }) => which(part) ?? part).join(" ");
    },
    async install() {
      await aptInstall(await missing(), name);
    },
  };
}

export const linker = fromDebian("linker and certificates", "20 s", [
  { part: "cc", packages: ["gcc", "libc6-dev"] },
  { part: "/etc/ssl/certs/ca-certificates.crt", packages: ["ca-certificates"] },
]);

export const browser = fromDebian("Chromium", "1 min", [{ part: "/usr/bin/chromium", packages: ["chromium"] }]);

/** Where the package is tested too; the demo and most tests take Chromium. */
export const otherBrowsers = fromDebian("Firefox and WebKit", "1 min", [
  { part: "firefox-esr", packages: ["firefox-esr"] },
  { part: "WebKitWebDriver", packages: ["webkit2gtk-driver"] },
  { part: "xvfb-run", packages: ["xvfb", "xauth"] },
]);
