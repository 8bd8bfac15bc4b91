/** Amounts of data in words. */

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** An amount of data, with three digits. */
export function bytesIn(language: string, bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const digits = { style: "unit", unit: UNITS[power] ?? "byte", unitDisplay: power === 0 ? "long" : "short", maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(language, digits).format(bytes / 1000 ** power);
}
