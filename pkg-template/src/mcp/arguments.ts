/** The arguments of a call, checked against the schema of its tool. */
import { isRecord, kind } from "../plain.js";
import { Refused } from "./answer.js";

interface Schema {
  readonly type: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/**
 * A copy of arguments with the properties that the schema knows; others are left out, as the reference server does.
 *
 * @throws Refused when one is missing or of another type.
 */
export function checked(tool: string, schema: object, args: unknown): Record<string, unknown> {
  return fitted(tool, schema as Schema, args ?? {}, "") as Record<string, unknown>;
}

function fitted(tool: string, schema: Schema, value: unknown, path: string): unknown {
  const wrong = (what: string): Refused => new Refused(`Error, nothing was changed: Invalid arguments for ${tool}: ${path && `${path}: `}${what}`);
  switch (schema.type) {
    case "object": {
      if (!isRecord(value)) throw wrong(`pass an object, not ${kind(value)}`);
      const given = value as { readonly [name: string]: unknown };
      const kept: Record<string, unknown> = {};
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        // Models whose schemas are strict write null for what they leave out.
        const inner = Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined;
        if (inner !== undefined) kept[name] = fitted(tool, property, inner, `${path}/${name}`);
        else if (schema.required?.includes(name)) throw wrong(`${name} is missing`);
      }
      return kept;
    }
    case "array": {
      const { items } = schema;
      if (!Array.isArray(value)) throw wrong(`pass a list, not ${kind(value)}`);
      return items === undefined ? value : value.map((item, index) => fitted(tool, items, item, `${path}/${index}`));
    }
    case "integer":
      if (!Number.isSafeInteger(value)) throw wrong(`pass a whole number, not ${kind(value)}`);
      return value;
    default:
      if (typeof value !== "string") throw wrong(`pass a string, not ${kind(value)}`);
      return value;
  }
}
