/** Times in the reader's own locale. */
import { element } from "./shared";

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** Only the time when it was today, otherwise with the date. `at` is in milliseconds since 1970 UTC. */
export function describeMoment(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return (isToday ? TIME : DAY).format(date);
}

/** The same as an element that carries the exact time. */
export function moment(at: number): HTMLTimeElement {
  const date = new Date(at);
  return element("time", { datetime: date.toISOString(), title: FULL.format(date) }, describeMoment(at));
}
