/** What a resolved call has survived. */
import { refused, shown } from "./plain.js";

/** A power failure, or the end of the process or tab. */
export type Durability = "strict" | "relaxed";

/** @throws InvalidInputError when the option is none. */
export function checkDurability(durability: unknown): asserts durability is Durability {
  if (durability !== "strict" && durability !== "relaxed") {
    throw refused("options.durability", shown(durability), 'pass "strict" or "relaxed"');
  }
}
