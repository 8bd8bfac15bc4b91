/** Whole numbers in the reader's own locale. */
const NUMBER = new Intl.NumberFormat();

export function inDigits(number: number): string {
  return NUMBER.format(number);
}
