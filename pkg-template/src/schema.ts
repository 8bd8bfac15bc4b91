/** Profile schemas: what an app may register, the type of a profile that follows from it, and its JSON Schema. */
import { InvalidSchemaError } from "./errors.js";
import { isRecord, kind } from "./plain.js";

/**
 * A JSON Schema (draft 2020-12) whose root is an object. Each property is one field of the profile; descriptions and enums
 * steer the extraction. Written inline or `as const`, it types the profile.
 */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A schema of a library that follows Standard Schema, such as Zod, and can print itself as JSON Schema. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly jsonSchema?: { output(options: { target: "draft-2020-12" }): Record<string, unknown> } | undefined;
  };
  toJSONSchema?: () => unknown;
}

/** The profiles of an app: schema ids (1 to 63 of `a-z`, `0-9`, `-`) with their schemas. */
export interface ProfileSchemas {
  readonly [schemaId: string]: JsonSchema | StandardSchema;
}

/** The type of the values that a JSON Schema literal describes; `unknown` where it says nothing this type can read. */
export type FromSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: readonly (infer Type)[] }
      ? FromType<Type, Schema>
      : Schema extends { readonly type: infer Type }
        ? FromType<Type, Schema>
        : Schema extends { readonly properties: object }
          ? FromType<"object", Schema>
          : unknown;

type FromType<Type, Schema> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? Schema extends { readonly items: infer Items }
            ? FromSchema<Items>[]
            : unknown[]
          : Type extends "object"
            ? Schema extends { readonly properties: infer Properties }
              ? { -readonly [Name in keyof Properties]?: FromSchema<Properties[Name]> }
              : { [name: string]: unknown }
            : unknown;

type FromAny<Schema> = Schema extends { readonly "~standard": { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : FromSchema<Schema>;

/** The profile of a schema: every field is optional, since each is remembered on its own. */
export type ProfileOf<Schema> = FromAny<Schema> extends infer Value
  ? unknown extends Value
    ? { [field: string]: unknown }
    : Partial<Value>
  : never;

/**
 * The JSON Schemas of an app's profiles.
 *
 * @throws InvalidSchemaError when a schema is neither a JSON Schema nor able to print itself as one.
 */
export function jsonSchemas(profiles: ProfileSchemas): Record<string, unknown> {
  return Object.fromEntries(Object.entries(profiles).map(([id, schema]) => [id, jsonSchema(id, schema)]));
}

function jsonSchema(id: string, schema: JsonSchema | StandardSchema): unknown {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) {
    throw new InvalidSchemaError(`profiles.${id}: ${kind(schema)} is not a schema; pass a JSON Schema or a Standard Schema`);
  }
  const { "~standard": standard, toJSONSchema } = schema as Partial<StandardSchema>;
  try {
    if (standard?.jsonSchema) return standard.jsonSchema.output({ target: "draft-2020-12" });
    if (typeof toJSONSchema === "function") return toJSONSchema.call(schema);
  } catch (cause) {
    throw new InvalidSchemaError(`profiles.${id}: the schema cannot be printed as JSON Schema: ${String(cause)}`, { cause });
  }
  if (standard === undefined && isRecord(schema)) return schema;
  throw new InvalidSchemaError(
    `profiles.${id}: a schema of ${standard?.vendor ?? kind(schema)} cannot print itself as JSON Schema; ` +
      "pass the JSON Schema that its library makes of it",
  );
}
