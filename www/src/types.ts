/** The package's types under the names the demo uses, taken from `openMemory` itself. */
import type { openMemory } from "mnemic";

export type Memory = Awaited<ReturnType<typeof openMemory>>;
export type User = ReturnType<Memory["scope"]>;
export type Fact = Awaited<ReturnType<User["facts"]["list"]>>[number];
export type Action = Awaited<ReturnType<User["facts"]["delete"]>>;
export type Revision = Awaited<ReturnType<User["history"]>>[number];
export type Source = Fact["source"][number];
export type RecallItem = Awaited<ReturnType<User["recall"]>>["items"][number];
export type Thread = Awaited<ReturnType<User["threads"]["list"]>>[number];
export type StoredMessage = Awaited<ReturnType<User["threads"]["messages"]>>[number];
export type Usage = Awaited<ReturnType<Memory["usage"]>>;

/** What a profile field holds. */
export type FieldValue = string | string[];

/** One field of the profile as the panel shows it. */
export interface Field {
  readonly id: string;
  readonly name: string;
  readonly value: FieldValue;
  readonly revision: number;
  readonly updatedAt: number;
  readonly source: readonly Source[];
}
