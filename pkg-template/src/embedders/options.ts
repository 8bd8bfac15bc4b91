/** The options of embedders, checked before a model is asked for anything. */
import { isRecord, known, passes, record, refused, shown } from "../plain.js";

type Rule = readonly [isUsable: (value: unknown) => boolean, cure: string];

const isText = (value: unknown): value is string => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";

/** An address as fetch takes it. In pages it may be one of the page's own server. */
const isAddress = (value: unknown): boolean => isText(value) && /^(https?:\/\/|\.{0,2}\/)/i.test(value) && !!new URL(value, "http://page");

/** What options may be; numbers are checked where they are used. */
const RULES: Readonly<Record<string, Rule>> = {
  model: [(value) => isText(value) && value !== "", "pass the name of an embedding model"],
  baseUrl: [isAddress, "pass an address such as http://localhost:11434/v1"],
  apiKey: [isText, "pass the key as a string"],
  headers: [isRecord, "pass a plain object of strings"],
  fetch: [isFunction, "pass a function such as the global fetch"],
  prefixes: [
    (value) => value === false || (isRecord(value) && isText(value["query"]) && isText(value["document"])),
    'pass { query, document } with strings, "" for none; or false',
  ],
  onProgress: [isFunction, "pass a function"],
  pull: [(value) => typeof value === "boolean", "pass true or false"],
  pipeline: [isFunction, 'pass what pipeline("feature-extraction", model) resolves to'],
  load: [isRecord, "pass a plain object"],
  pooling: [(value) => ["mean", "cls", "last_token"].includes(value as string), 'pass "mean", "cls" or "last_token"'],
  gateway: [isText, "pass the id of an AI Gateway"],
};

const OF_ALL = ["model", "maxTexts", "maxCharacters", "maxTextCharacters", "maxCacheBytes", "prefixes", "onProgress"];

/** The options of what makes requests. */
export const OF_REQUESTS = ["timeoutMs", "retries"] as const;

/** The options of what asks a server. */
export const OF_SERVER = ["baseUrl", "apiKey", "fetch", "headers", "dimensions", ...OF_REQUESTS] as const;

/**
 * A copy of an embedder's options, so that nothing changes when the app changes them.
 *
 * @param own their names, but for those of all embedders.
 * @param required the names of those that must be given.
 * @throws InvalidInputError naming an option that is unknown, missing or of the wrong kind.
 */
export function checked<Options extends object>(
  given: Options,
  own: ReadonlyArray<string & keyof Options>,
  required: readonly string[] = ["model"],
): Options {
  const names = [...OF_ALL, ...own];
  known(given, names);
  const options = record(given, "options");
  for (const name of names) {
    const rule = RULES[name];
    const value = options[name];
    if (rule === undefined || (value === undefined && !required.includes(name))) continue;
    const [isUsable, cure] = rule;
    if (!passes(() => isUsable(value))) throw refused(`options.${name}`, shown(value), cure);
  }
  return options as Options;
}
