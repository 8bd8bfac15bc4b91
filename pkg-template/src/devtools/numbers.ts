/** Numbers, sizes, times and money in words. */
import { bytesIn } from "../panel/texts/bytes.js";

const count = new Intl.NumberFormat("en");
const share = new Intl.NumberFormat("en", { style: "percent" });
const time = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

export const number = (value: number): string => count.format(value);

export const percent = (value: number): string => share.format(value);

export const moment = (at: number): string => time.format(at);

export const bytes = (value: number): string => bytesIn("en", value);

export function duration(ms: number): string {
  const [value, unit] = ms < 1000 ? [ms, "millisecond"] : [ms / 1000, "second"];
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "short", maximumSignificantDigits: 3 }).format(value);
}

export function money(value: number, currency = "USD"): string {
  // A single request costs less than a cent.
  const digits = value > 0 && value < 0.01 ? { maximumSignificantDigits: 3 } : {};
  return new Intl.NumberFormat("en", { style: "currency", currency, ...digits }).format(value);
}
