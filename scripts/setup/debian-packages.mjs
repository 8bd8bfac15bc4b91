/** The programs that come from Debian: a linker for native builds, and a browser with its driver. */
import { which } from "../command.mjs";
import { aptInstall, unfinished } from "./apt.mjs";

/** The browser all tests use; webdriver.json names it too. */
export const chromium = "/usr/bin/chromium";

const programs = [
  { program: "cc", packages: ["gcc", "libc6-dev"] },
  { program: chromium, packages: ["chromium"] },
  { program: "chromedriver", packages: ["chromium-driver"] },
];

async function missingPackages() {
  const broken = await unfinished(programs.flatMap(({ packages }) => packages));
  return programs
    .filter(({ program, packages }) => !which(program) || packages.some((name) => broken.includes(name)))
    .flatMap(({ packages }) => packages);
}

export const debianPackages = {
  name: "linker and browser",

  async find() {
    if ((await missingPackages()).length > 0) return null;
    return programs.map(({ program }) => which(program)).join(" ");
  },

  async install() {
    await aptInstall(await missingPackages(), "a C compiler for linking, and Chromium with its driver");
  },
};
