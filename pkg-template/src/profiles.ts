/** The structured profiles of one scope. */
import type { Caller } from "./caller.js";
import type { ProfileOf, ProfileSchemas } from "./schema.js";
import type {
  Action,
  CallOptions,
  Difference,
  KeepSourceOptions,
  Labels,
  Metadata,
  ProfileField,
  Revision,
  Time,
} from "./types.js";

/** One profile: its values, and each field with where it comes from. */
export interface Profile<Values> {
  /** The values; a field without a value is absent. */
  profile: Values;
  fields: { [Field in keyof Values]?: ProfileField<Exclude<Values[Field], undefined>> };
}

/** The profiles of an app, by schema id. */
export type ProfilesOf<Schemas> = { [Id in keyof Schemas]: Profile<ProfileOf<Schemas[Id]>> };

type Id<Schemas> = keyof Schemas & string;
type Field<Schemas, SchemaId extends keyof Schemas> = keyof ProfileOf<Schemas[SchemaId]> & string;
type Value<Schemas, SchemaId extends keyof Schemas, Name extends keyof ProfileOf<Schemas[SchemaId]>> = Exclude<
  ProfileOf<Schemas[SchemaId]>[Name],
  undefined
>;
type Patch<Values> = { readonly [Field in keyof Values]?: Values[Field] | null };

/** Options of `profiles.set`. */
export interface SetOptions extends KeepSourceOptions {
  /** When it is deleted, `null` for never. Default: after `extraction.ttl.addedMs`, or never. */
  readonly expiresAt?: Time | null | undefined;
  /** Replaces the old metadata. Default: it stays. */
  readonly metadata?: Metadata | undefined;
  /** Labels for this revision, at most 16. */
  readonly labels?: Labels | undefined;
}

/** The profiles of a scope: validated fields, each with its revisions. */
export class Profiles<Schemas extends ProfileSchemas> {
  readonly #call: Caller;

  /** @internal Made by `memory.scope()`. */
  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * All profiles by schema id; a profile without values is empty. Needs no search and no model.
   *
   * @example
   * ```ts
   * await user.profiles.set("user-profile", "name", "Alice");
   * const { "user-profile": { profile, fields } } = await user.profiles.get();
   * console.log(profile.name, fields.name?.revision);
   * ```
   */
  get(options?: CallOptions): Promise<ProfilesOf<Schemas>> {
    return this.#call("profiles.get", {}, options);
  }

  /**
   * Sets a field.
   *
   * @throws SchemaViolationError when the value does not validate; then nothing was changed.
   * @throws NotFoundError when there is no such schema or field.
   *
   * @example
   * ```ts
   * const { action } = await user.profiles.set("user-profile", "language", "de");
   * console.log(action); // created, updated or unchanged
   * await user.profiles.set("user-profile", "language", "fr", { labels: { by: "settings page" } });
   * ```
   */
  set<SchemaId extends Id<Schemas>, Name extends Field<Schemas, SchemaId>>(
    schema: SchemaId,
    field: Name,
    value: Value<Schemas, SchemaId, Name>,
    options?: SetOptions,
  ): Promise<Action> {
    return this.#call("profiles.set", { schema, field, value }, options);
  }

  /**
   * Changes several fields in one commit, by JSON Merge Patch (RFC 7396): `null` deletes a field, objects are merged.
   *
   * @returns One action per field that the patch names.
   * @throws SchemaViolationError when a value does not validate; then nothing was changed.
   *
   * @example
   * ```ts
   * await user.profiles.patch("user-profile", { name: "Alice", language: null });
   * ```
   */
  patch<SchemaId extends Id<Schemas>>(
    schema: SchemaId,
    patch: Patch<ProfileOf<Schemas[SchemaId]>>,
    options?: KeepSourceOptions,
  ): Promise<Action[]> {
    return this.#call("profiles.patch", { schema, patch }, options);
  }

  /**
   * Deletes a field, or the whole profile when no field is given. Revisions stay in the history. The words that values were learned
   * from are withheld, and a fact that was learned from them alone and says the same is deleted with its field.
   *
   * @returns One action per deleted field; empty when there was nothing.
   *
   * @example
   * ```ts
   * await user.profiles.delete("user-profile", "language");
   * await user.profiles.delete("user-profile");
   * ```
   */
  delete<SchemaId extends Id<Schemas>>(
    schema: SchemaId,
    field?: Field<Schemas, SchemaId>,
    options?: KeepSourceOptions,
  ): Promise<Action[]> {
    return this.#call("profiles.delete", { schema, field }, options);
  }

  /**
   * All revisions of a field, oldest first.
   *
   * @throws NotFoundError when there is no such schema or field, or the field was never set.
   *
   * @example
   * ```ts
   * await user.profiles.set("user-profile", "language", "de");
   * for (const { revision, value, cause } of await user.profiles.history("user-profile", "language")) {
   *   console.log(revision, value, cause);
   * }
   * ```
   */
  history<SchemaId extends Id<Schemas>>(
    schema: SchemaId,
    field: Field<Schemas, SchemaId>,
    options?: CallOptions,
  ): Promise<Revision[]> {
    return this.#call("profiles.history", { schema, field }, options);
  }

  /**
   * The difference between two revisions of a field.
   *
   * @throws NotFoundError when there is no such revision, or it is a deletion.
   *
   * @example
   * ```ts
   * await user.profiles.set("user-profile", "language", "de");
   * await user.profiles.set("user-profile", "language", "fr");
   * const { changes } = await user.profiles.diff("user-profile", "language", 1, 2);
   * console.log(changes); // [{ path: "", before: "de", after: "fr" }]
   * ```
   */
  diff<SchemaId extends Id<Schemas>>(
    schema: SchemaId,
    field: Field<Schemas, SchemaId>,
    from: number,
    to: number,
    options?: CallOptions,
  ): Promise<Difference> {
    return this.#call("profiles.diff", { schema, field, from, to }, options);
  }

  /**
   * Gives a field the value of an earlier revision, as a new revision; a deleted field is restored.
   *
   * @throws NotFoundError when there is no such revision.
   *
   * @example
   * ```ts
   * await user.profiles.set("user-profile", "language", "de");
   * await user.profiles.set("user-profile", "language", "fr");
   * await user.profiles.rollback("user-profile", "language", 1); // "de" again
   * ```
   */
  rollback<SchemaId extends Id<Schemas>>(
    schema: SchemaId,
    field: Field<Schemas, SchemaId>,
    revision: number,
    options?: KeepSourceOptions,
  ): Promise<Action> {
    return this.#call("profiles.rollback", { schema, field, revision }, options);
  }
}
