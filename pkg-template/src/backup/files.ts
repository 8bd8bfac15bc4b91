/** What a scope remembers, as files for people: Markdown, and JSON where a program may want to read it too. */
import type { Caller } from "../caller.js";
import type { Item } from "../items.js";
import type { CallOptions, Part, ScopePairs, StoredMessage, Thread } from "../types.js";

/** A file with its text. */
export interface ReadableFile {
  /** Its place, with `/` between folders. Safe on every file system, and no two files have one place, whatever the case. */
  path: string;
  text: string;
}

const PAGE = 1000;
/** The most characters of one name in a path. */
const NAME_CHARACTERS = 60;
/** Names that Windows keeps for itself. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
/** Characters that are not seen or turn others round. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu;

/** Places that are taken. */
export class Places {
  readonly #taken = new Set<string>();

  /** A path of these names that nobody has. */
  free(names: readonly string[], ending = ""): string {
    const path = names.map(safeName).join("/");
    for (let number = 1; ; number += 1) {
      const candidate = `${path}${number === 1 ? "" : `~${number}`}${ending}`;
      const place = candidate.normalize("NFKC").toLowerCase();
      if (this.#taken.has(place)) continue;
      this.#taken.add(place);
      return candidate;
    }
  }
}

/** A name that every file system takes. */
export function safeName(name: string): string {
  const plain = name.normalize("NFC").replace(/[^\p{L}\p{N}\p{M}\-_.,=@+ ]/gu, "_");
  const short = [...plain].slice(0, NAME_CHARACTERS).join("").replace(/^[. ]+|[. ]+$/g, "");
  if (short === "") return "_";
  // Windows reads raised digits as digits.
  return RESERVED.test((short.split(".")[0] ?? "").normalize("NFKC").trim()) ? `_${short}` : short;
}

/** The name of a scope's folder. */
export function nameOf(scope: ScopePairs): string {
  return Object.entries(scope)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");
}

/** The files of one scope, below a folder of its own: a path, empty for none. */
export async function* filesOf(call: Caller, folder: string, options: CallOptions | undefined): AsyncIterable<ReadableFile> {
  const places = new Places();
  const file = (names: readonly string[], ending: string, text: string): ReadableFile => ({
    path: `${folder}${folder === "" ? "" : "/"}${places.free(names, ending)}`,
    text,
  });
  const items: Item[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await call<Item[]>("items.list", { offset, limit: PAGE }, options);
    items.push(...page);
    if (page.length < PAGE) break;
  }
  const of = (...kinds: string[]): Item[] => items.filter(({ kind }) => kinds.includes(kind));
  const fields = of("field");
  if (fields.length > 0) yield file(["profile"], ".md", profile(fields));
  for (const [kind, name, title] of [
    ["fact", "facts", "Facts"],
    ["instruction", "instructions", "Instructions"],
    ["episode", "episodes", "Episodes"],
    ["summary", "summaries", "Summaries"],
    ["trait", "traits", "Traits"],
    ["block", "blocks", "Blocks"],
    ["passage", "archive", "Archive"],
  ] as const) {
    const found = of(kind);
    if (found.length > 0) yield file([name], ".md", list(title, found));
  }
  if (of("entity").length > 0) {
    yield file(["graph"], ".jsonl", await call<string>("graph.export_jsonl", {}, options));
    yield file(["graph"], ".md", list("Graph", of("entity", "relation")));
  }
  for (const item of of("document")) {
    const names = (item.key ?? item.id).split(".").filter((label) => label !== "");
    yield file(["documents", ...names], ".json", `${JSON.stringify(item.value ?? null, undefined, 2)}\n`);
  }
  for (const thread of await call<Thread[]>("threads.list", {}, options)) {
    yield file(["threads", thread.threadId], ".md", await conversation(call, thread, options));
  }
  if (items.length > 0) yield file(["items"], ".jsonl", items.map((item) => `${JSON.stringify(item)}\n`).join(""));
}

function profile(fields: readonly Item[]): string {
  const lines = ["# Profile"];
  let schema: string | undefined;
  for (const { key = "", value, updatedAt } of fields) {
    const slash = key.indexOf("/");
    if (key.slice(0, slash) !== schema) {
      schema = key.slice(0, slash);
      lines.push("", `## ${inline(schema)}`, "");
    }
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    lines.push(`- **${inline(key.slice(slash + 1))}**: ${inline(shown ?? "")} (${day(updatedAt)})`);
  }
  return `${lines.join("\n")}\n`;
}

function list(title: string, items: readonly Item[]): string {
  const line = ({ text, key, kind, validFrom, pinned }: Item): string => {
    const name = key !== undefined && ["instruction", "block", "summary"].includes(kind) ? `**${inline(key)}**: ` : "";
    return `- ${name}${inline(text)} (${day(validFrom)}${pinned ? ", pinned" : ""})`;
  };
  return `# ${title}\n\n${items.map(line).join("\n")}\n`;
}

async function conversation(call: Caller, { threadId }: Thread, options: CallOptions | undefined): Promise<string> {
  const lines = [`# ${inline(threadId)}`];
  for (let offset = 0; ; offset += PAGE) {
    const page = await call<StoredMessage[]>("threads.messages", { threadId, offset, limit: PAGE }, options);
    for (const { role, name, content, toolCalls, createdAt } of page) {
      const said = typeof content === "string" ? content : content.map(part).join("\n");
      const calls = toolCalls === undefined ? "" : `\n${JSON.stringify(toolCalls)}`;
      const quoted = (said + calls).split(/\r\n|[\n\r\u2028\u2029]/).map((text) => `> ${inline(text)}`.trimEnd());
      lines.push("", `**${inline(name ?? role)}**, ${minute(createdAt)}`, "", ...quoted);
    }
    if (page.length < PAGE) return `${lines.join("\n")}\n`;
  }
}

const part = (part: Part): string => ("text" in part && typeof part.text === "string" ? part.text : JSON.stringify(part));

/** A text on one line that is nothing but text in Markdown, and whose unseen characters are seen. */
export function inline(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .replace(/[\\`*_{}[\]<>()#|!~&$^=+\-:]|(?<=^\d{1,9})[.]/gu, "\\$&")
    .replace(UNSEEN, (unseen) => `\\[U+${(unseen.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}\\]`)
    .trim();
}

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
const minute = (time: number): string => new Date(time).toISOString().slice(0, 16).replace("T", " ");
