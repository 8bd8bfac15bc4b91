/** Rows as the tables of docs/peers.md, and as measurements with the best peer beside them. */

/** Figures closer than this are told apart by noise alone. */
export const NOISE = 1.6;

/** Least quality at which a time counts. */
const GOOD = 0.99;

const rounded = (value) => (value >= 1000 ? Math.round(Number(value.toPrecision(3))).toString() : Number(value.toPrecision(2)).toString());

const cell = (value) => (value === undefined ? "" : typeof value === "number" ? rounded(value) : value);
const share = (value) => (value === undefined ? "" : value.toFixed(3).replace(/^0|\.?0+$/g, "") || "0");
const timeAndShare = (time, quality) => (time === undefined ? "" : typeof time === "number" ? `${cell(time)} (${share(quality)})` : time);
const seconds = (value) => cell(typeof value === "number" ? value / 1000 : value);
const kilobytes = (value) => cell(typeof value === "number" ? value / 1000 : value);

/** A table in Markdown. */
export function markdown(heading, rows) {
  return [heading, heading.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const nameOf = ({ subject, variant }) => (variant === undefined ? subject : `${subject}, ${variant}`);

const vectorColumns = [
  ["query, ms (recall@10)", (row) => timeAndShare(row.search, row.recall)],
  ["a tenth wanted, ms (recall@10)", (row) => timeAndShare(row.filtered, row.filteredRecall)],
  ["build, s", (row) => seconds(row.build)],
];

/** The tables by what they are of: which rows, in which columns. */
const TABLES = [
  {
    title: "Vectors in Node",
    of: ({ axis, place }) => axis === "vectors" && place === "node",
    columns: [...vectorColumns, ["memory, MiB", (row) => cell(row.memory)]],
  },
  {
    title: "Vectors in Chromium",
    of: ({ axis, place }) => axis === "vectors" && place === "page",
    columns: [...vectorColumns, ["save, s", (row) => seconds(row.save)], ["a fresh page to the first answer, ms", (row) => cell(row.open)]],
  },
  {
    title: "Words",
    of: ({ axis }) => axis === "words",
    columns: [
      ["query, ms (found)", (row) => timeAndShare(row.search, row.hits)],
      ["rare words alone, ms (found)", (row) => timeAndShare(row.rare, row.rareHits)],
      ["index, s", (row) => seconds(row.build)],
      ["memory, MiB", (row) => cell(row.memory)],
    ],
  },
  {
    title: "Memories of agents",
    of: ({ axis }) => axis === "memories",
    columns: [
      ["query, ms (found)", (row) => timeAndShare(row.search, row.hits)],
      ["one write, ms", (row) => cell(row.write)],
      ["filling, s", (row) => seconds(row.build)],
      ["memory, MiB", (row) => cell(row.memory)],
    ],
  },
  {
    title: "Weight of a page",
    of: ({ axis }) => axis === "size",
    columns: [
      ["scripts, kB", (row) => kilobytes(row.scripts)],
      ["WebAssembly, kB", (row) => (row.wasm === 0 ? "" : kilobytes(row.wasm))],
    ],
  },
];

const sizeOf = ({ count, isEnglish }) => (count === undefined ? undefined : isEnglish ? `${count} turns` : `${count / 1000}k`);

function sectionOf({ title, of, columns }, rows) {
  const own = rows.filter(of);
  if (own.length === 0) return [];
  const isSized = own.some(({ count }) => count !== undefined);
  const heading = [...(isSized ? ["items"] : []), "", ...columns.map(([name]) => name)];
  const lines = own.map((row, place) => {
    const size = sizeOf(row);
    const isFirst = place === 0 || sizeOf(own[place - 1]) !== size;
    return [...(isSized ? [isFirst ? size : ""] : []), nameOf(row), ...columns.map(([, show]) => show(row))];
  });
  return [`### ${title}\n\n${markdown(heading, lines)}`];
}

/** All tables of these rows. */
export function tables(rows) {
  return TABLES.flatMap((table) => sectionOf(table, rows)).join("\n\n");
}

const PLACES = { node: "Node", page: "Chromium" };

/** What each figure is called, its unit, and the quality without which it does not count. */
const FIGURES = {
  search: ["query", "ms", "recall", "hits"],
  rare: ["query of rare words", "ms", "rareHits"],
  filtered: ["query, a tenth wanted", "ms", "filteredRecall"],
  build: ["build", "ms"],
  open: ["a fresh page to the first answer", "ms"],
  write: ["one write", "ms"],
  memory: ["memory", "MiB"],
  scripts: ["scripts", "bytes"],
};

/** Whether another answers well, or as well as one's own. */
const isGood = (other, own, qualities) => qualities.every((name) => other[name] === undefined || other[name] >= Math.min(GOOD, own[name]));

const BEGIN = "<!-- What is between these two lines is written by `npm run bench -- --peers --write`. -->";
const END = "<!-- Up to here. -->";

/** A document with other figures between its two lines. */
export function withFigures(text, figures) {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error("the document has no place for figures");
  return `${text.slice(0, begin + BEGIN.length)}\n\n${figures}\n\n${text.slice(end)}`;
}

/** A measurement of each of the first subject's figures, with the best of the others that answer as well beside it. */
export function measurements(rows, own) {
  const keyOf = ({ axis, place, count, isEnglish }) => `${axis} ${place} ${count} ${isEnglish}`;
  return rows
    .filter(({ subject }) => subject === own)
    .flatMap((row) =>
      Object.entries(FIGURES)
        .filter(([figure]) => typeof row[figure] === "number")
        .map(([figure, [what, unit, ...qualities]]) => {
          const others = rows.filter((other) => other.subject !== own && keyOf(other) === keyOf(row) && typeof other[figure] === "number" && isGood(other, row, qualities));
          const best = others.reduce((least, other) => (least === undefined || other[figure] < least[figure] ? other : least), undefined);
          const of = [row.axis, PLACES[row.place], sizeOf(row)].filter((part) => part !== undefined);
          const name = `${of.join(", ")}: ${what}`;
          return { name, value: row[figure], unit, ...(best && { peer: { name: nameOf(best), value: best[figure] } }) };
        }),
    );
}
