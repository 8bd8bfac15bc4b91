/** The memory with this app's profile. */
import type { Memory as AnyMemory, Scope, Source, Temporary as AnyTemporary, Violation } from "mnemic";
import type { FieldName, PROFILE_ID, PROFILE_SCHEMA } from "./profile-schema";

type Schemas = { readonly [Id in typeof PROFILE_ID]: typeof PROFILE_SCHEMA };

export type Memory = AnyMemory<Schemas>;
export type User = Scope<Schemas>;
export type Temporary = AnyTemporary<Schemas>;

/** What a profile field holds. */
export type FieldValue = string | string[];

/** One field of the profile as the panel shows it. */
export interface Field {
  readonly id: string;
  readonly name: FieldName;
  readonly value: FieldValue;
  readonly revision: number;
  readonly updatedAt: number;
  /** Whether learning leaves it as it is. */
  readonly pinned: boolean;
  /** Why it has this value, in a sentence. */
  readonly context?: string;
  readonly source: readonly Source[];
  /** Where the value does not fit the field as it is described now. */
  readonly stale?: readonly Violation[];
}
