/** What opens an encrypted memory: a passphrase, a passkey or a key; and what the app asks and changes. */
import { base64Bytes, base64Text } from "./base64.js";
import type { Connection } from "./connection.js";
import { CorruptError, InvalidInputError, ReadOnlyError, WrongKeyError } from "./errors.js";
import { fromPasskey, newPasskey, type PasskeyOptions, type StoredPasskey } from "./passkey.js";
import { isBelievable, newDerivation, passphraseBytes, passphraseKey } from "./passphrase.js";
import { isRecord, kind, refused } from "./plain.js";
import type { CallOptions } from "./types.js";

/**
 * What opens an encrypted memory. `passphrase` is a text of the user's, from which a key is derived slowly. `passkey: true`
 * registers a passkey of this site when a memory is encrypted, and asks for it when it is opened; it needs a browser and an
 * authenticator with the PRF extension of WebAuthn. `key` is an AES-GCM key of yours that may encrypt and decrypt; it need not be
 * extractable.
 */
export type EncryptionKey =
  | { readonly passphrase: string }
  | { readonly passkey: true | PasskeyOptions }
  | { readonly key: CryptoKey };

/** Whether and how a memory is encrypted. */
export interface EncryptionStatus {
  readonly encrypted: boolean;
  /** What opens it; undefined when it is not encrypted. */
  readonly by?: "passphrase" | "passkey" | "key" | undefined;
  /** How many scopes have a key of their own. */
  readonly scopes: number;
}

/** Answers the key that a stored description stands for; without one, a new key with its description. */
export type FindKey = (description: string | undefined) => Promise<[key: CryptoKey, description: string]>;

/** What is stored in clear of the way to a key. */
type Description = StoredPassphrase | StoredPasskey | { readonly by: "key" };

interface StoredPassphrase {
  readonly by: "passphrase";
  readonly kdf: "PBKDF2-SHA-256";
  readonly iterations: number;
  readonly salt: string;
}

const WAYS = "pass { passphrase }, { passkey: true } or { key }";

/** The encryption of an open memory: `memory.encryption`. */
export class Encryption {
  readonly #connection: Connection;

  /** @internal Made by `openMemory()`. */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Says whether the memory is encrypted, and by what it is opened.
   *
   * @example
   * ```ts
   * const { encrypted, by } = await memory.encryption.status();
   * console.log(encrypted, by);
   * ```
   */
  async status(options?: CallOptions): Promise<EncryptionStatus> {
    const { encrypted, description, scopes } = await this.#connection.call<EncryptionStatus & { description?: string }>(
      "encryption.status",
      "",
      {},
      options,
    );
    return { encrypted, ...(description !== undefined && { by: described(description).by }), scopes };
  }

  /**
   * Encrypts the memory, all of it in one write. A memory that is encrypted is opened by this key from now on, and no longer by the one
   * before: one small value is written.
   *
   * @throws InvalidInputError when the key cannot be used here.
   * @throws LockedError when another tab has changed the encryption meanwhile.
   *
   * @example
   * ```ts
   * await memory.encryption.change({ passphrase: "four words nobody guesses" });
   * ```
   */
  async change(to: EncryptionKey): Promise<void> {
    await encrypt(this.#connection, to);
  }

  /**
   * Takes the encryption away: everything is stored as it is again, in one write. Does nothing when the memory is not encrypted.
   *
   * @example
   * ```ts
   * await memory.encryption.remove();
   * console.log((await memory.encryption.status()).encrypted); // -> false
   * ```
   */
  async remove(options?: CallOptions): Promise<void> {
    await this.#connection.call("encryption.remove", "", {}, options);
    this.#connection.announce();
  }
}

/** Whether and how a scope is locked by itself. */
export interface ScopeEncryptionStatus {
  /** What opens it; undefined when it has no lock of its own. */
  readonly by?: "passphrase" | "passkey" | "key" | undefined;
  /** Whether it is locked now, here. */
  readonly locked: boolean;
}

/**
 * The lock of a scope of an encrypted memory: `user.encryption`. While the scope is locked, the memory's own key does not open it, and
 * every call of it rejects with `LockedError`; the other scopes go on. It is locked when the memory is opened.
 */
export class ScopeEncryption {
  readonly #connection: Connection;
  readonly #scope: string;
  readonly #isReadOnly: boolean;

  /** @internal Made by `memory.scope()`. */
  constructor(connection: Connection, scope: string, isReadOnly = false) {
    this.#connection = connection;
    this.#scope = scope;
    this.#isReadOnly = isReadOnly;
  }

  /** @internal The same, which only tells its status: anything else rejects with `ReadOnlyError`. */
  readOnly(): ScopeEncryption {
    return new ScopeEncryption(this.#connection, this.#scope, true);
  }

  /**
   * Says whether the scope has a lock of its own, by what it is opened, and whether it is locked.
   *
   * @example
   * ```ts
   * const { by, locked } = await user.encryption.status();
   * console.log(by, locked); // undefined false
   * ```
   */
  async status(options?: CallOptions): Promise<ScopeEncryptionStatus> {
    const lock = await this.#call<{ description: string; locked: boolean } | null>("status", options);
    return lock === null ? { locked: false } : { by: described(lock.description).by, locked: lock.locked };
  }

  /**
   * Gives the scope a lock of its own, which stays open until the scope is locked or the memory closed: everything stored is written
   * anew, so that nothing of the scope opens without it. A scope that has a lock is opened by this key from now on: one small value is
   * written.
   *
   * @throws InvalidInputError when the memory is not encrypted, or the key cannot be used here.
   * @throws LockedError when the scope is locked: unlock it first.
   *
   * @example
   * ```ts
   * await memory.encryption.change({ passphrase: "four words nobody guesses" });
   * await user.encryption.change({ passphrase: "two more words" });
   * console.log((await user.encryption.status()).by); // passphrase
   * ```
   */
  change(to: EncryptionKey): Promise<void> {
    return this.#encrypt(to, false);
  }

  /**
   * Locks the scope, in other tabs too. What was read of it is let go of; calls that are under way reject with `LockedError`.
   *
   * @throws InvalidInputError when the scope has no lock.
   * @throws StorageError when that could not be stored: the scope is locked here, and may be open in other tabs.
   *
   * @example
   * ```ts
   * await memory.encryption.change({ passphrase: "four words nobody guesses" });
   * await user.encryption.change({ passphrase: "two more words" });
   * await user.encryption.lock();
   * await user.facts.list().catch(({ name }) => console.log(name)); // LockedError
   * ```
   */
  async lock(options?: CallOptions): Promise<void> {
    await this.#call("close", options);
    this.#connection.announce();
  }

  /**
   * Unlocks the scope in this tab, until it is locked or the memory closed. Does nothing when it is open.
   *
   * @throws WrongKeyError when the key is another; `details.by` says what is needed, if it is another kind.
   * @throws InvalidInputError when the scope has no lock.
   *
   * @example
   * ```ts
   * await memory.encryption.change({ passphrase: "four words nobody guesses" });
   * await user.encryption.change({ passphrase: "two more words" });
   * await user.encryption.lock();
   * await user.encryption.unlock({ passphrase: "two more words" });
   * console.log((await user.encryption.status()).locked); // false
   * ```
   */
  unlock(by: EncryptionKey): Promise<void> {
    return this.#encrypt(by, true);
  }

  /**
   * Takes the lock away: the memory's own key opens the scope again. Does nothing when the scope has none.
   *
   * @throws LockedError when the scope is locked: unlock it first.
   *
   * @example
   * ```ts
   * await user.encryption.remove();
   * console.log((await user.encryption.status()).by); // undefined
   * ```
   */
  async remove(options?: CallOptions): Promise<void> {
    await this.#call("remove", options);
    this.#connection.announce();
  }

  async #call<Result>(name: string, options: unknown): Promise<Result> {
    if (name !== "status") this.#check();
    return this.#connection.call(`lock.${name}`, this.#scope, {}, options);
  }

  #check(): void {
    if (this.#isReadOnly) throw new ReadOnlyError("this view of the memory only reads; change the lock on the scope itself");
  }

  async #encrypt(key: EncryptionKey, unlocks: boolean): Promise<void> {
    this.#check();
    await encrypt(this.#connection, key, this.#scope, unlocks);
  }
}

/** Encrypts the memory or locks or unlocks a scope of it; a failure to have the key is told as it was. */
async function encrypt(connection: Connection, key: EncryptionKey, scope?: string, unlocks?: boolean): Promise<void> {
  const finding = remembering(keyFinder(key, "encryption"));
  try {
    await connection.encrypt(finding.find, scope, unlocks);
  } catch (error) {
    throw finding.failure() ?? error;
  }
}

/**
 * Finds keys as an option says.
 *
 * @throws InvalidInputError naming what is wrong with the option.
 */
export function keyFinder(option: unknown, path: string): FindKey {
  if (!isRecord(option)) throw refused(path, kind(option), WAYS);
  const [name, ...others] = Object.keys(option);
  const value = option[name ?? ""];
  if (others.length > 0) throw new InvalidInputError(`${path}: there are ${others.length + 1} keys; ${WAYS}`);
  if (name === "passphrase") {
    const passphrase = passphraseBytes(value, `${path}.passphrase`);
    return async (description) => fromPassphrase(passphrase, expected(description, "passphrase"));
  }
  if (name === "passkey") {
    if (value !== true && !isRecord(value)) throw refused(`${path}.passkey`, kind(value), "pass true or { rpId, userName }");
    const options: PasskeyOptions = value === true ? {} : value;
    return async (description) => {
      const stored = expected(description, "passkey");
      return stored === undefined ? newPasskey(options) : [await fromPasskey(stored), JSON.stringify(stored)];
    };
  }
  if (name === "key") {
    const key = value as CryptoKey;
    if (Object(value) !== value || key.algorithm?.name !== "AES-GCM" || !["encrypt", "decrypt"].every((use) => key.usages?.includes(use as KeyUsage))) {
      throw refused(`${path}.key`, kind(value), "pass a CryptoKey of AES-GCM that may encrypt and decrypt");
    }
    return async (description) => {
      expected(description, "key");
      return [key, JSON.stringify({ by: "key" })];
    };
  }
  throw new InvalidInputError(`${path}.${name}: unknown; ${WAYS}`);
}

/** The same, remembering why no key was found: the engine passes on only the words of an error. */
export function remembering(find: FindKey): { find: FindKey; failure(): unknown } {
  let failure: unknown;
  return {
    async find(description) {
      try {
        return await find(description);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    failure: () => failure,
  };
}

/** Finds no key, but what the memory is opened by; undefined when it did not come to that. */
export function askingFor(): { find: FindKey; by(): Description["by"] | undefined } {
  let by: Description["by"] | undefined;
  return {
    async find(description) {
      if (description !== undefined) ({ by } = described(description));
      throw new WrongKeyError("the memory was only asked what opens it");
    },
    by: () => by,
  };
}

/** @throws CorruptError when it is none. */
function described(description: string): Description {
  try {
    const stored: unknown = JSON.parse(description);
    if (isRecord(stored) && typeof stored["by"] === "string") return stored as unknown as Description;
    throw altered("it does not say what");
  } catch (cause) {
    throw cause instanceof CorruptError ? cause : altered("it is not readable", cause);
  }
}

function altered(why: string, cause?: unknown): CorruptError {
  return new CorruptError(`what is stored of the key was altered or damaged: ${why}; restore a backup`, { cause });
}

/** A stored description, which must be of this kind. */
function expected<By extends Description["by"]>(description: string | undefined, by: By): Extract<Description, { by: By }> | undefined {
  if (description === undefined) return undefined;
  const stored = described(description);
  if (stored.by === by) return stored as Extract<Description, { by: By }>;
  throw new WrongKeyError(`this is opened by a ${stored.by}, not by a ${by}; give that one`, { details: { by: stored.by } });
}

async function fromPassphrase(passphrase: Uint8Array<ArrayBuffer>, stored: StoredPassphrase | undefined): Promise<[CryptoKey, string]> {
  const description = stored ?? freshDescription();
  const { iterations } = description;
  if (!isBelievable(iterations)) throw altered(`it asks for ${String(iterations)} rounds, which no version wrote`);
  return [await passphraseKey(passphrase, { iterations, salt: saltOf(description) }), JSON.stringify(description)];
}

function saltOf({ salt }: StoredPassphrase): Uint8Array<ArrayBuffer> {
  try {
    return base64Bytes(salt);
  } catch (cause) {
    throw altered("its salt is not readable", cause);
  }
}

function freshDescription(): StoredPassphrase {
  const { iterations, salt } = newDerivation();
  return { by: "passphrase", kdf: "PBKDF2-SHA-256", iterations, salt: base64Text(salt) };
}
