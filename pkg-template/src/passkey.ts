/** Keys from passkeys: the PRF extension of WebAuthn (level 3), whose secret goes through HKDF. */
import { base64Bytes, base64Text } from "./base64.js";
import { InvalidInputError, LockedError, type MnemicError } from "./errors.js";

/** How a passkey is registered. */
export interface PasskeyOptions {
  /** The domain it belongs to: the page's own, or one that the page's ends in. Default: the page's own. */
  readonly rpId?: string | undefined;
  /** The name that the browser shows for it. Default: `"Memory"`. */
  readonly userName?: string | undefined;
}

/** What is stored in clear of a passkey. */
export interface StoredPasskey {
  readonly by: "passkey";
  readonly id: string;
  readonly salt: string;
  readonly rpId?: string | undefined;
}

const SALT_BYTES = 32;
/** ES256, EdDSA and RS256, which all authenticators have one of. */
const ALGORITHMS = [-7, -8, -257];

/** Registers a passkey, and derives a key from it. */
export async function newPasskey({ rpId, userName = "Memory" }: PasskeyOptions): Promise<[CryptoKey, string]> {
  const salt = random(SALT_BYTES);
  const credential = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: random(32),
        rp: { name: userName, ...(rpId !== undefined && { id: rpId }) },
        user: { id: random(16), name: userName, displayName: userName },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
        authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const { prf } = credential.getClientExtensionResults();
  if (prf?.enabled !== true) throw unable("the authenticator has no PRF extension");
  const id = base64Text(new Uint8Array(credential.rawId));
  const stored: StoredPasskey = { by: "passkey", id, salt: base64Text(salt), ...(rpId !== undefined && { rpId }) };
  const secret = prf.results?.first;
  // Many authenticators tell the secret only when they are asked again.
  return [secret === undefined ? await fromPasskey(stored) : await derive(secret), JSON.stringify(stored)];
}

/** Asks for a passkey, and derives the key from it. */
export async function fromPasskey({ id, salt, rpId }: StoredPasskey): Promise<CryptoKey> {
  const credential = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: random(32),
        ...(rpId !== undefined && { rpId }),
        allowCredentials: [{ type: "public-key", id: base64Bytes(id) }],
        userVerification: "required",
        extensions: { prf: { eval: { first: base64Bytes(salt) } } },
      },
    }),
  );
  const secret = credential.getClientExtensionResults().prf?.results?.first;
  if (secret === undefined) throw unable("the passkey gave no secret");
  return derive(secret);
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (typeof navigator === "undefined" || typeof PublicKeyCredential === "undefined") throw unable("there is no WebAuthn");
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (cause) {
    throw new LockedError(`the passkey was not given (${String(cause)}); open the memory again and confirm it`, { cause });
  }
  if (credential === null) throw new LockedError("the passkey was not given; open the memory again and confirm it");
  return credential as PublicKeyCredential;
}

/** The secret of a passkey may be used for other things too; the key is for this alone. */
async function derive(secret: BufferSource): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const how = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode("mnemic memory") };
  return crypto.subtle.deriveKey(how, base, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

function unable(what: string): MnemicError {
  return new InvalidInputError(`encryption.passkey: ${what} here, so no key can be made of a passkey; use a passphrase`);
}

function random(bytes: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(bytes));
}
