/** The same work in every runtime: opening, recalling, remembering and reading a profile, and how much memory that takes. */
import { browsers } from "../../scripts/browsers.mjs";
import { say } from "../../scripts/log.mjs";
import { Missing } from "../../scripts/missing.mjs";
import { root } from "../../scripts/project.mjs";
import { node } from "./support/runtimes/node.mjs";
import { workerd } from "./support/runtimes/workerd.mjs";

const inBrowser = (name) => async () => {
  const page = await browsers[name](root, "benches/web/support/runtimes/page.html");
  return { ...page, name: `${page.name}, IndexedDB` };
};

const RUNTIMES = {
  ...Object.fromEntries(Object.keys(browsers).map((name) => [name, inBrowser(name)])),
  "node-file": () => node("file"),
  "node-sqlite": () => node("sqlite"),
  workerd,
};

const COUNTS = [1_000, 10_000, 100_000];

/** What is told of every size, in the order of the columns. */
const COLUMNS = [
  ["fill", "facts.import of all", "ms"],
  ["open", "open", "ms"],
  ["first", "the first recall", "ms"],
  ["recall", "recall", "ms"],
  ["remember", "remember of 2 messages", "ms"],
  ["profile", "profiles.get of 20 fields", "ms"],
  ["opened", "WebAssembly memory when open", "MiB"],
  ["used", "WebAssembly memory after use", "MiB"],
];

async function measured(start) {
  const runtime = await start();
  const ask = async (step) => {
    const answer = await runtime.run(step);
    if (answer.error) throw new Error(`${runtime.name}, ${JSON.stringify(step)}: ${answer.error}`);
    return answer;
  };
  try {
    const { start, empty } = await ask({ name: "start" });
    const sizes = [];
    for (const count of COUNTS) {
      sizes.push({ count, ...(await ask({ name: "fill", count })), ...(await ask({ name: "use", count })) });
      say(`${runtime.name}: ${count} facts done`);
    }
    return { name: runtime.name, start, empty, sizes };
  } finally {
    await runtime.close();
  }
}

const rounded = (value) => Number(value.toPrecision(3));

/** The figures as the table of docs/figures.md. */
function markdown(figures) {
  const rows = figures.flatMap(({ name, start, sizes }) =>
    sizes.map(({ count, ...size }, place) => [
      place === 0 ? name : "",
      place === 0 ? rounded(start) : "",
      `${count / 1000}k`,
      ...COLUMNS.map(([column]) => rounded(size[column])),
    ]),
  );
  const heading = ["runtime", "first openMemory, ms", "facts", ...COLUMNS.map(([, what, unit]) => `${what}, ${unit}`)];
  return [heading, heading.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** @param {string[]} chosen names of runtimes; all without it */
export async function measure(chosen = Object.keys(RUNTIMES)) {
  const figures = [];
  for (const name of chosen) {
    try {
      const figure = await measured(RUNTIMES[name]);
      figures.push(figure);
      // What an interrupted run has measured is not lost.
      say(markdown([figure]));
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      say(`${name} is not measured. ${error.message}`);
    }
  }
  say(`\n${markdown(figures)}\n`);
  return figures.flatMap(({ name, start, empty, sizes }) => [
    { name: `${name}: import and first openMemory`, value: start, unit: "ms" },
    { name: `${name}: WebAssembly memory of an empty memory`, value: empty, unit: "MiB" },
    ...sizes.flatMap(({ count, ...size }) =>
      COLUMNS.map(([column, what, unit]) => ({ name: `${name}, ${count / 1000}k facts: ${what}`, value: size[column], unit })),
    ),
  ]);
}
