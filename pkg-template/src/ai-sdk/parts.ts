/** The parts of a message, as they are stored: what was said, and what was called with what came of it. */
import type { OtherPart, Part } from "../types.js";
import { looseList, textIn, type Loose } from "./model.js";

/** The most bytes of a content; the engine's limit is 256 KiB. */
const MAX_BYTES = 240_000;

/** How many characters of a call's input or result are kept: the first of these with which the whole message fits. */
const MOST = [16_000, 4_000, 1_000, 200];

/** How many times as many characters of a text are kept. */
const TEXT = 12;

/**
 * The parts to keep of a message of a prompt, of an answer or of a user interface. Reasoning is left out, and of files all but
 * their names.
 */
export function keptParts(content: unknown): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return looseList(content).flatMap((part) => kept(part) ?? []);
}

function kept(part: Loose): Part | undefined {
  switch (part["type"]) {
    case "text":
      return typeof part["text"] === "string" && part["text"] !== "" ? { type: "text", text: part["text"] } : undefined;
    case "file":
      return file(part);
    case "tool-call":
      return call(part, part["toolName"], read(part["input"]));
    case "tool-result":
      // A result that is followed by another one tells how far the tool is.
      return part["preliminary"] === true ? undefined : result(part, part["toolName"], part["output"] ?? outcome(part["result"], part["isError"] === true));
    case "source":
      return source(part, `source-${String(part["sourceType"])}`, part["id"]);
    case "source-url":
    case "source-document":
      return source(part, part["type"], part["sourceId"]);
    default:
      return undefined;
  }
}

/** A tool's call. */
export function call(part: Loose, toolName: unknown, input: unknown): OtherPart {
  const { toolCallId, providerExecuted, dynamic, title } = part;
  return present({ type: "tool-call", toolCallId, toolName, input, providerExecuted, dynamic, title });
}

/** What came of it. */
export function result(part: Loose, toolName: unknown, output: unknown): OtherPart {
  const { toolCallId, providerExecuted } = part;
  return present({ type: "tool-result", toolCallId, toolName, output: withoutFiles(output), providerExecuted });
}

/** A tool's output as prompts have it. */
export function outcome(value: unknown, isError: boolean): Loose {
  if (typeof value === "string") return { type: isError ? "error-text" : "text", value };
  return { type: isError ? "error-json" : "json", value: value ?? null };
}

/** An output whose files are left out by name. */
function withoutFiles(output: unknown): unknown {
  const { type, value } = (output ?? {}) as Loose;
  if (type !== "content") return output;
  return { type, value: looseList(value).map((item) => (item["type"] === "text" ? { type: "text", text: item["text"] } : file(item))) };
}

/** A file by its name, and by its address if that holds nothing but one. */
function file(part: Loose): OtherPart {
  const { mediaType, filename } = part;
  const data = part["data"] as Loose | undefined;
  const address = part["url"] ?? (data?.["type"] === "url" ? data["url"] : data);
  const url = typeof address === "string" || address instanceof URL ? String(address) : "";
  return present({ type: "file", mediaType, filename, url: /^https?:/.test(url) ? url : undefined });
}

function source(part: Loose, type: unknown, sourceId: unknown): OtherPart {
  const { url, title, mediaType, filename } = part;
  return present({ type, sourceId, url, title, mediaType, filename });
}

/** Without what is not there. */
const present = (part: Loose): OtherPart =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined && value !== null)) as OtherPart;

/** The input of a call, which a model writes as JSON text. */
function read(input: unknown): unknown {
  if (typeof input !== "string") return input ?? {};
  try {
    return input.trim() === "" ? {} : (JSON.parse(input) as unknown);
  } catch {
    return input;
  }
}

/**
 * Parts as a content that can be stored: a text where that is all, with half characters replaced. What is too long is shortened,
 * inputs and results of tools before texts, and says by how much.
 */
export function contentOf(parts: readonly Part[]): string | Part[] {
  let json = "";
  for (const most of MOST) {
    json = wellFormed(JSON.stringify(parts.map((part) => shortened(part, most))));
    if (new TextEncoder().encode(json).length <= MAX_BYTES) break;
  }
  const content = JSON.parse(json) as Part[];
  const [first] = content;
  return content.length === 1 && first?.type === "text" ? (first["text"] as string) : content;
}

function shortened(part: Part, most: number): Part {
  switch (part.type) {
    case "text":
      return { ...part, text: head(String(part["text"]), most * TEXT) };
    case "tool-call":
      return { ...part, input: size(part["input"]) > most ? head(JSON.stringify(part["input"]), most) : part["input"] };
    case "tool-result": {
      const output = (part["output"] ?? {}) as Loose;
      const { type, value } = output;
      if (size(value) <= most) return part;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return { ...part, output: { type: String(type).startsWith("error") ? "error-text" : "text", value: head(text, most) } };
    }
    default:
      return part;
  }
}

const size = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const head = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;

/** JSON text writes half a character as an escape; an escaped backslash stands before what only looks like one. */
const wellFormed = (json: string): string => json.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === "\\\\" ? found : "\ufffd"));

/** The words of a content, and the names of its files. */
export function wordsOf(content: unknown): string {
  if (typeof content === "string") return content;
  return looseList(content).flatMap((part) => (part["type"] === "file" ? nameOf(part) : textIn(part["text"]) ?? [])).join("\n");
}

/** A file by its name, such as `[image: photo.png]`. */
export function nameOf(part: Loose): string {
  const kind = textIn(part["mediaType"])?.startsWith("image") ? "image" : "file";
  const name = textIn(part["filename"]) ?? textIn(part["url"])?.split(/[?#]/)[0];
  return name === undefined ? `[${kind}]` : `[${kind}: ${name}]`;
}
