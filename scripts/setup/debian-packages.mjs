/** What comes from Debian: a linker for native builds, a browser with its driver, and the certificates cargo trusts. */
import { existsSync } from "node:fs";
import { which } from "../command.mjs";
import { aptInstall, unfinished } from "./apt.mjs";

/** A program on PATH, or a file, and the packages it comes from. webdriver.json names the browser too. */
const parts = [
  { part: "cc", packages: ["gcc", "libc6-dev"] },
  { part: "/usr/bin/chromium", packages: ["chromium"] },
  { part: "/usr/bin/chromedriver", packages: ["chromium-driver"] },
  { part: "/etc/ssl/certs/ca-certificates.crt", packages: ["ca-certificates"] },
];

async function missingPackages() {
  const broken = await unfinished(parts.flatMap(({ packages }) => packages));
  const isHere = (part) => which(part) !== null || (part.startsWith("/") && existsSync(part));
  return parts
    .filter(({ part, packages }) => !isHere(part) || packages.some((name) => broken.includes(name)))
    .flatMap(({ packages }) => packages);
}

export const debianPackages = {
  name: "linker, browser, certificates",

  async find() {
    if ((await missingPackages()).length > 0) return null;
    return parts.map(({ part }) => which(part) ?? part).join(" ");
  },

  async install() {
    await aptInstall(await missingPackages(), "a C compiler for linking, Chromium with its driver, or root certificates");
  },
};
