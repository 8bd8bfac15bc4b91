/** What a soak counts, by module and variant. */
import { say } from "../log.mjs";

/** The counts of a row, with their headings. */
const COLUMNS = {
  rounds: "rounds",
  confirmed: "confirmed",
  wiped: "wiped",
  restored: "restored",
  lost: "lost",
  halves: "half",
  returned: "returned",
  damaged: "damaged",
  refused: "refused",
};

/** Counts of rounds, and faults in words. */
export class Tally {
  rows = [];
  /** Each fault in words. */
  faults = [];

  row(module, variant) {
    const known = this.rows.find((row) => row.module === module && row.variant === variant);
    if (known !== undefined) return known;
    const row = { module, variant, ...Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, 0])) };
    this.rows.push(row);
    return row;
  }

  /** Counts a fault of one of the kinds, and says what it is. */
  fault(row, kind, detail) {
    row[kind] += 1;
    const said = typeof detail === "string" ? detail : JSON.stringify(detail);
    const text = `${row.module}, ${row.variant}, round ${row.rounds}: ${COLUMNS[kind]}: ${said}`;
    this.faults.push(text);
    say(text);
  }

  /** Counts what an opening found, as `openDiary` answers it, or its `error`. */
  found(row, { error, wiped, lost = [], halves = [], returned = [], damaged = [], ...rest }) {
    if (wiped !== undefined) row.wiped += 1;
    if (wiped?.restored) row.restored += 1;
    const faults = { lost, halves, returned, damaged, refused: error === undefined ? [] : [error] };
    const kinds = Object.keys(faults).filter((kind) => faults[kind].length > 0);
    for (const kind of kinds) this.fault(row, kind, { [kind]: faults[kind], wiped, ...rest });
    return kinds.length === 0;
  }

  /** Rows for `table`. */
  table() {
    const names = Object.keys(COLUMNS);
    const cells = ({ module, variant, ...counts }) => [module, variant, ...names.map((name) => counts[name])];
    return [["module", "variant", ...Object.values(COLUMNS)], ...this.rows.map(cells)];
  }
}
