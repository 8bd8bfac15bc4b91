/** Whole numbers among options. */
import { InvalidInputError } from "./errors.js";

/** @throws InvalidInputError when an option is no whole number, or too small or too large a one. */
export function checkWhole(name: string, value: unknown, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most) {
    throw new InvalidInputError(`${name}: ${String(value)}; pass a whole number from ${least} to ${most}`);
  }
}
