/** The log: what is stored, in which segments, and how much of it is in memory. */
import { element, fill } from "../../panel/page/element.js";
import type { Inspection } from "../../types.js";
import { bytes, moment, number, percent } from "../numbers.js";
import { bar, pairs, table } from "../table.js";
import type { Section } from "./section.js";

const HEADS = ["Segment", "Commits", "Size", "Revisions", "Current"];

export class LogSection implements Section {
  readonly element = element("section", { tabindex: 0, "data-testid": "log" });

  update({ storage, log, memory }: Inspection): number {
    const { segments, tail } = log;
    fill(this.element,
      pairs([
        ["Storage", storage.kind],
        ["Stored", bytes(log.bytes)],
        ["Commits", number(log.commits)],
        ["Last commit", log.lastCommitAt === undefined ? "none" : `${number(log.lastCommit)}, ${moment(log.lastCommitAt)}`],
        ["Not in a segment", `${number(tail.commits)} commits, ${bytes(tail.bytes)}`],
        ["In memory", `${bytes(memory.memoryBytes)} of ${bytes(memory.maxMemoryBytes)}`],
        ["Cache", memory.paged ? bytes(memory.cachedBytes) : "none, all of it is in memory"],
      ]),
      segments.length > 0 && table("Segments", HEADS, segments.map(({ id, firstCommit, lastCommit, bytes: size, revisions, records, liveShare }) => [
        String(id), `${number(firstCommit)} to ${number(lastCommit)}`, bytes(size), number(revisions),
        element("span", {}, bar(liveShare), `${percent(liveShare)} (${number(records)})`),
      ])),
      segments.length === 0 && element("p", { class: "hint" }, "There are no segments yet: the log is short."));
    return segments.length;
  }
}
