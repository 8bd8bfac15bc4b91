/** Keys from passphrases. */
import { InvalidInputError } from "./errors.js";
import { kind } from "./plain.js";

/** How a key is derived from a passphrase; stored beside what it opens. */
export interface Derivation {
  /** 16 random bytes. */
  readonly salt: Uint8Array<ArrayBuffer>;
  /** How many rounds of PBKDF2 with HMAC-SHA-256. */
  readonly iterations: number;
}

/** Rounds for new keys: what OWASP's Password Storage Cheat Sheet asks for PBKDF2 with HMAC-SHA-256 (2023). */
const ITERATIONS = 600_000;

/**
 * The bounds of the rounds that are believed: fewer protect nobody. More than three times those of new keys would only keep the device
 * busy: a hostile file is refused at once, and the most that it can ask for takes 0.4 s in Node on one core of a server (22 November 2026).
 */
const BELIEVED = { least: 100_000, most: 2_000_000 };

/** A new derivation. */
export function newDerivation(): Derivation {
  return { salt: crypto.getRandomValues(new Uint8Array(16)), iterations: ITERATIONS };
}

/** Whether stored rounds are to be believed. */
export function isBelievable(iterations: number): boolean {
  return Number.isInteger(iterations) && iterations >= BELIEVED.least && iterations <= BELIEVED.most;
}

/**
 * The bits that a passphrase stands for: the same for the same characters, however they are composed.
 *
 * @throws InvalidInputError when it is no text or empty.
 */
export function passphraseBytes(passphrase: unknown, path: string): Uint8Array<ArrayBuffer> {
  if (typeof passphrase !== "string" || passphrase === "") {
    throw new InvalidInputError(`${path}: ${passphrase === "" ? "an empty text" : kind(passphrase)} is no passphrase; pass a text`, {
      details: { path },
    });
  }
  return new TextEncoder().encode(passphrase.normalize("NFKC"));
}

/**
 * The AES-256-GCM key of a passphrase. It cannot be read out of the runtime.
 *
 * @throws InvalidInputError where the runtime allows fewer rounds.
 */
export async function passphraseKey(
  passphrase: Uint8Array<ArrayBuffer>,
  { salt, iterations }: Derivation,
  usages: ("encrypt" | "decrypt")[] = ["encrypt", "decrypt"],
): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", passphrase, "PBKDF2", false, ["deriveKey"]);
  const derivation = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  try {
    return await crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, usages);
  } catch (cause) {
    if ((cause as Partial<Error> | null)?.name !== "NotSupportedError") throw cause;
    const message = `passphrase: this runtime refuses ${iterations} rounds of PBKDF2 (Cloudflare's service stops at 100000); use { key }`;
    throw new InvalidInputError(message, { details: { iterations }, cause });
  }
}
