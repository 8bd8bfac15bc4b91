/** A scope as it was at some time. */
import type { Caller } from "./caller.js";
import type { ListOptions } from "./facts.js";
import { withMilliseconds } from "./plain.js";
import type { ProfilesOf } from "./profiles.js";
import type { ProfileSchemas } from "./schema.js";
import type { CallOptions, Fact } from "./types.js";

/** What was known at a time; nothing in it can be changed. */
export interface View<Schemas extends ProfileSchemas> {
  readonly profiles: {
    /** The profiles as they were. */
    get(options?: CallOptions): Promise<ProfilesOf<Schemas>>;
  };
  readonly facts: {
    /** The facts as they were; empty when there were none. */
    list(options?: ListOptions): Promise<Fact[]>;
    /** A fact as it was; null when it was not there then. */
    get(id: string, options?: CallOptions): Promise<Fact | null>;
  };
}

/** The view of a scope at a time in milliseconds since 1970 UTC. */
export function viewAt<Schemas extends ProfileSchemas>(call: Caller, asOf: unknown): View<Schemas> {
  return {
    profiles: { get: (options) => call("profiles.get", { asOf }, options) },
    facts: {
      list: (options) => call("facts.list", { asOf }, withMilliseconds(options, ["validAt"])),
      get: (id, options) => call("facts.get", { id, asOf }, options),
    },
  };
}
