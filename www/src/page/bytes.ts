/** Amounts of data in the reader's own locale. */
const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function bytesInWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const digits = { style: "unit", unit: UNITS[power] ?? "byte", unitDisplay: power === 0 ? "long" : "short", maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(undefined, digits).format(bytes / 1000 ** power);
}
