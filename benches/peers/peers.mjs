/** mnemic and its peers, one after the other with the same data in one run: the tables of docs/peers.md. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { axes } from "./axes.mjs";
import { sizes } from "./size.mjs";
import { subjects, versionOf } from "./subjects.mjs";
import { markdown, measurements, tables, withFigures } from "./tables.mjs";
import { ask } from "../../scripts/command.mjs";
import { say, seconds } from "../../scripts/log.mjs";
import { Missing } from "../../scripts/missing.mjs";
import { at, crate } from "../../scripts/project.mjs";
import { nodeWithSqlite } from "../../scripts/setup/sqlite-node.mjs";

const DOCUMENT = at("docs/peers.md");

const AXES = [...Object.keys(axes), "size"];

/** Who is missing where, and why. */
function absences() {
  const places = { node: "in Node", page: "in Chromium" };
  const sized = (subject) => Object.entries(axisOf(subject).most ?? {}).map(([place, most]) => `up to ${most.toLocaleString("en-US")} items ${places[place]}`);
  return subjects.flatMap((subject) => [
    ...(subject.onlyPage === undefined ? [] : [`${subject.name} is measured in Chromium alone: ${subject.onlyPage}.`]),
    ...(axisOf(subject).most === undefined ? [] : [`${subject.name} is measured with ${sized(subject).join(", ")}: ${axisOf(subject).why}.`]),
  ]);
}

const axisOf = (subject) => subject.vectors ?? subject.words ?? subject.memories;

async function versionsOf() {
  const { version } = await crate();
  return subjects.map((subject) => ({ ...subject, version: subject.id === "mnemic" ? version : versionOf(subject) }));
}

/** What each is, how it was set, and what it cannot do. */
async function described() {
  const rows = (await versionsOf()).map(({ name, package: id, version, settings, lacks }) => [
    id === undefined ? name : `${name} (\`${id}\`)`,
    version ?? "",
    settings,
    lacks,
  ]);
  return `### Settings\n\n${markdown(["", "version", "measured with", "does not have"], rows)}\n\n${absences().map((line) => `- ${line}`).join("\n")}`;
}

async function machine() {
  const [{ model }] = cpus();
  const node = await ask(nodeWithSqlite(), ["--version"]);
  const chromium = await ask(process.env.CHROMIUM || "/usr/bin/chromium", ["--version"]);
  return `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${node?.slice(1)} and ${chromium?.match(/\w+ [\d.]+/)?.[0]} on ${cpus().length} cores (${model.trim()}).`;
}

/**
 * Measures all axes, or one.
 *
 * @param {string} [only] an axis, or an axis and a size, such as `node:1000`
 * @param {string} [set] a folder with sentences and questions, as scripts/eval/set.mjs describes it
 * @param {boolean} [writes] whether docs/peers.md gets the figures
 */
export async function measurePeers(only, set, writes = false) {
  const [chosen, size] = only?.split(":") ?? [];
  if (chosen !== undefined && !AXES.includes(chosen)) throw new Missing(`the axis ${chosen}`, `name one of ${AXES.join(", ")}`);
  if (set !== undefined && !existsSync(set)) throw new Missing(set, "name a folder with turns.jsonl and questions.jsonl");
  const begun = performance.now();
  const rows = [];
  const take = (more) => {
    rows.push(...more);
    // What an interrupted run has measured is not lost.
    say(`\n${tables(more)}\n`);
  };
  for (const [name, { counts, measure, english }] of Object.entries(axes)) {
    if (chosen !== undefined && chosen !== name) continue;
    for (const count of size === undefined ? counts : [Number(size)]) take(await measure(count));
    if (english !== undefined && set !== undefined) take(await english(set));
  }
  if (chosen === undefined || chosen === "size") take(await sizes());
  const figures = `${await machine()} The run took ${seconds(begun)}.\n\n${tables(rows)}\n\n${await described()}`;
  say(`\n${figures}\n`);
  if (writes) {
    writeFileSync(DOCUMENT, withFigures(readFileSync(DOCUMENT, "utf8"), figures));
    say("wrote docs/peers.md");
  }
  return measurements(rows, subjects[0].name).map((measurement) => ({ source: "benches/peers", ...measurement }));
}
