/** The names of users' objects. */
import { InvalidInputError } from "../errors.js";
import { isWellFormed } from "../plain.js";

/** How many bytes of UTF-8 the id of a user may have. */
const MAX_USER_BYTES = 512;

/** Begins the names of users' objects, so that objects which the app names itself are never a user's. */
const PREFIX = "mnemic/user/";

/** What is used of a namespace of Durable Objects. */
export interface MemoryNamespace {
  idFromName(name: string): unknown;
  get(id: never): unknown;
}

/** A stub of a user's object, for one call: a stub that has failed stays broken. */
export function stubOf<Stub>(namespace: MemoryNamespace, name: string): Stub {
  return namespace.get(namespace.idFromName(name) as never) as Stub;
}

/**
 * The name of a user's object: different for any two ids that differ in one character, and of no other meaning, whatever an id holds.
 *
 * @throws InvalidInputError when the id is no text of 1 to 512 bytes. Halves of surrogate pairs are refused because two that differ would
 * become the same bytes.
 */
export function objectName(user: string): string {
  const wrong = (what: string): InvalidInputError =>
    new InvalidInputError(`user: ${what}; pass the id that your authentication knows the user by`, { details: { path: "user" } });
  if (typeof user !== "string" || user === "") throw wrong("an id is a text that is not empty");
  if (!isWellFormed(user)) throw wrong("the id has half of a surrogate pair");
  const bytes = new TextEncoder().encode(user).length;
  if (bytes > MAX_USER_BYTES) throw wrong(`the id has ${bytes} bytes, and at most ${MAX_USER_BYTES} are taken`);
  return PREFIX + user;
}
