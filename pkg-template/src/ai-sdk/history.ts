/** The history of `useChat`: the messages of a thread as those of a user interface, and back. */
import { known } from "../plain.js";
import type { Message, Part, StoredMessage } from "../types.js";
import { looseList, textIn, type Loose } from "./model.js";
import { call, contentOf, keptParts, nameOf, outcome, result } from "./parts.js";
import { checkUser, type MemoryUser } from "./user.js";

/** A message of the AI SDK's user interface, of whatever type the app gives its messages. */
export interface ChatUIMessage {
  readonly id: string;
  readonly role: "system" | "user" | "assistant";
  readonly metadata?: unknown;
  readonly parts: ReadonlyArray<{ readonly type: string }>;
}

/** A message as it is loaded; it fits the AI SDK's `UIMessage`. */
export interface LoadedUIMessage {
  id: string;
  role: "system" | "user" | "assistant";
  metadata?: unknown;
  parts: LoadedUIPart[];
}

/** A part of a message as it is loaded. */
export type LoadedUIPart =
  | { type: "text"; text: string }
  | { type: "file"; mediaType: string; filename?: string; url: string }
  | { type: "source-url"; sourceId: string; url: string; title?: string }
  | { type: "source-document"; sourceId: string; mediaType: string; title: string; filename?: string }
  | { type: "step-start" }
  | { type: `data-${string}`; id?: string; data: unknown }
  | LoadedToolPart;

/** A tool's part: of a tool that the app names, or of one that it learned of while it ran. */
export type LoadedToolPart = (
  | { type: `tool-${string}`; toolCallId: string; title?: string; providerExecuted?: boolean }
  | { type: "dynamic-tool"; toolName: string; toolCallId: string; title?: string; providerExecuted?: boolean }
) &
  (
    | { state: "input-available"; input: unknown }
    | { state: "output-available"; input: unknown; output: unknown }
    | { state: "output-error"; input: unknown; errorText: string }
  );

/** Options of {@link loadMessages}. */
export interface LoadMessagesOptions {
  /** At most so many of the last messages, 1 to 1000. Default: 100. */
  readonly limit?: number | undefined;
}

/** What {@link saveMessages} did, by the ids of the messages. */
export interface SavedMessages {
  /** Those that were stored, because they were new or had changed. */
  saved: string[];
  /** Those that were removed, because they are no longer in the conversation. */
  removed: string[];
}

/** How many messages one call of the memory takes. */
const MOST_AT_ONCE = 500;

/** What is told of a call that nobody will answer any more. */
const UNANSWERED = "The call was not answered.";

/** What is told of a call that the user did not allow, without a reason. */
const DENIED = "The call was not allowed.";

/**
 * The last messages of a thread, oldest first, for `useChat({ messages })` and `convertToModelMessages`: texts, calls of tools with their
 * results and errors, sources, data and metadata as they were. Files that have no address any more are texts such as
 * `[image: photo.png]`, and reasoning is left out. Empty when there is no such thread.
 *
 * @example
 * ```ts
 * import { loadMessages } from "mnemic/ai-sdk";
 *
 * await user.remember({ role: "user", content: "Hello!", id: "m1" }, { threadId: "today" });
 * console.log(await loadMessages(user, "today")); // [{ id: "m1", role: "user", parts: [{ type: "text", text: "Hello!" }] }]
 * ```
 */
export async function loadMessages(user: MemoryUser, threadId: string, options: LoadMessagesOptions = {}): Promise<LoadedUIMessage[]> {
  checkUser(user);
  known(options, ["limit"]);
  const stored = await user.threads.messages(threadId, { order: "desc", limit: options.limit });
  const messages: LoadedUIMessage[] = [];
  const open = new Map<string, LoadedToolPart>();
  for (const message of stored.reverse()) load(message, messages, open);
  const last = messages.at(-1);
  const waits = (part: LoadedToolPart): boolean =>
    last !== undefined && last.parts.includes(part) && (last.metadata as Loose | undefined)?.["aborted"] !== true;
  for (const part of open.values()) if (!waits(part)) Object.assign(part, { state: "output-error", errorText: UNANSWERED });
  return messages;
}

/** Adds a message to those that are loaded; `open` are the calls that wait for a result. */
function load({ id, messageId, role, content, toolCalls, toolCallId, metadata }: StoredMessage, messages: LoadedUIMessage[], open: Map<string, LoadedToolPart>): void {
  const given = looseList(typeof content === "string" ? keptParts(content) : content);
  if (role === "tool") {
    const answers = toolCallId === undefined ? given : [{ type: "tool-result", toolCallId, output: content }];
    return answers.forEach((part) => answer(part, open));
  }
  const parts: LoadedUIPart[] = [];
  let isAnswered = false;
  for (const part of [...given, ...(toolCalls ?? []).map(fromCall)]) {
    if (isResult(part)) {
      answer(part, open);
      isAnswered ||= part["providerExecuted"] !== true;
      continue;
    }
    const shown = partOf(part);
    if (shown === undefined) continue;
    if (isAnswered) parts.push({ type: "step-start" });
    isAnswered = false;
    parts.push(shown);
    if ("toolCallId" in shown) open.set(shown.toolCallId, shown);
  }
  const isEmpty = Object.keys(metadata).length === 0;
  messages.push({ id: messageId ?? id, role, ...(!isEmpty && { metadata }), parts });
}

const isResult = ({ type }: Loose): boolean => typeof type === "string" && /tool[-_]result$/.test(type);

/** Gives a call its result. */
function answer(part: Loose, open: Map<string, LoadedToolPart>): void {
  const id = String(part["toolCallId"] ?? part["tool_use_id"] ?? part["tool_call_id"]);
  const call = open.get(id);
  if (call === undefined) return;
  open.delete(id);
  const output = part["output"] ?? part["content"];
  const { type, value, reason } = Object(output) as Loose;
  const isError = part["is_error"] === true || type === "error-text" || type === "error-json" || type === "execution-denied";
  const told = typeof type !== "string" ? output : type === "execution-denied" ? (reason ?? DENIED) : (value ?? "");
  if (!isError) Object.assign(call, { state: "output-available", output: told });
  else Object.assign(call, { state: "output-error", errorText: typeof told === "string" ? told : JSON.stringify(told) });
}

/** A call as chat APIs write it beside the content. */
function fromCall(part: Loose): Loose {
  const { name, arguments: input } = Object(part["function"] ?? part) as Loose;
  return keptParts([{ type: "tool-call", toolCallId: part["id"], toolName: name, input }])[0] as Loose;
}

function partOf(part: Loose): LoadedUIPart | undefined {
  const type = textIn(part["type"]) ?? "";
  switch (type) {
    case "text":
    case "input_text":
    case "output_text":
    case "refusal":
      return { type: "text", text: String(part["text"] ?? part["refusal"] ?? "") };
    case "tool-call":
    case "tool_call":
    case "tool_use":
      return toolPart(part);
    case "file":
      return typeof part["url"] === "string" ? (part as LoadedUIPart & Loose) : { type: "text", text: nameOf(part) };
    case "source-url":
    case "source-document":
      return part as LoadedUIPart & Loose;
    default:
      return type.startsWith("data-") ? (part as LoadedUIPart & Loose) : undefined;
  }
}

function toolPart(part: Loose): LoadedToolPart {
  const toolCallId = String(part["toolCallId"] ?? part["id"]);
  const toolName = String(part["toolName"] ?? part["name"]);
  const input = part["input"] ?? part["arguments"] ?? {};
  const { title, providerExecuted } = part as { title?: string; providerExecuted?: boolean };
  const more = { toolCallId, ...(title !== undefined && { title }), ...(providerExecuted !== undefined && { providerExecuted }) };
  const state = { state: "input-available", input } as const;
  return part["dynamic"] === true ? { type: "dynamic-tool", toolName, ...more, ...state } : { type: `tool-${toolName}`, ...more, ...state };
}

/**
 * Stores the conversation of `useChat` as it is now, as from `onFinish` of `toUIMessageStreamResponse`, and learns from what is new. Messages
 * are told by their ids: those that changed are replaced. Behind the first one that the thread has, it loses those that are not in
 * `messages` any more: a reply that was made again, or what followed a message that the user edited. What was learned from them stays.
 * Before the last one that the thread has, none is new: what was forgotten meanwhile, and a page still has, is not stored again.
 *
 * Files are kept by their names, and their address unless it holds their bytes; reasoning is left out.
 *
 * @throws InvalidInputError when a message cannot be stored; then none is.
 *
 * @example
 * ```ts
 * import { loadMessages, saveMessages } from "mnemic/ai-sdk";
 *
 * const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "I live in Lisbon." }] }] as const;
 * const { saved } = await saveMessages(user, "today", messages);
 * console.log(saved, await loadMessages(user, "today")); // ["m1"] and the same messages
 * ```
 */
export async function saveMessages(user: MemoryUser, threadId: string, messages: readonly ChatUIMessage[]): Promise<SavedMessages> {
  checkUser(user);
  const stored = (await user.threads.messages(threadId, { order: "desc", limit: 1000 })).reverse();
  const idOf = ({ id, messageId }: StoredMessage): string => messageId ?? id;
  const byId = new Map(stored.map((message) => [idOf(message), message]));
  const ids = new Set(messages.map(({ id }) => id));
  const first = stored.findIndex((message) => ids.has(idOf(message)));
  const removed = first < 0 ? [] : stored.slice(first).filter((message) => !ids.has(idOf(message)));
  // What the thread has no more, though it has what was said after it, was forgotten or removed: the page still shows it.
  const last = messages.findLastIndex(({ id }) => byId.has(id));
  const present = messages.filter(({ id }, place) => place > last || byId.has(id));
  const kept = present.map((message) => {
    const metadata = typeof message.metadata === "object" && message.metadata !== null ? (message.metadata as Loose) : {};
    return { id: message.id, role: message.role, content: contentOf(uiParts(message.parts)), metadata, known: byId.get(message.id) };
  });
  const isChanged = ({ known, content, metadata }: (typeof kept)[number]): boolean => known === undefined || !isSame(known, content, metadata);
  // What was stored without an id of the app's cannot be replaced in its place: from there on, all is stored anew.
  const from = kept.findIndex((message) => message.known !== undefined && message.known.messageId === undefined && isChanged(message));
  const anew = new Set(from < 0 ? [] : kept.slice(from));
  const changed = kept.filter((message) => message.content.length > 0 && (anew.has(message) || isChanged(message)));
  const given = changed.map(({ known, ...message }): Message => ({ ...message, createdAt: known?.createdAt }));
  const replaced = [...anew].flatMap(({ known }) => known?.id ?? []);
  if (replaced.length > 0) await user.threads.remove(threadId, replaced);
  for (let start = 0; start < given.length; start += MOST_AT_ONCE) await user.remember(given.slice(start, start + MOST_AT_ONCE), { threadId });
  if (removed.length > 0) await user.threads.remove(threadId, removed.map(({ id }) => id));
  return { saved: changed.map(({ id }) => id), removed: removed.map(idOf) };
}

const isSame = (known: StoredMessage, content: unknown, metadata: Loose): boolean =>
  JSON.stringify([known.content, known.metadata]) === JSON.stringify([content, metadata]);

/** The parts of a message of a user interface. Of each step, the results of its calls stand last. */
function uiParts(parts: ReadonlyArray<{ readonly type: string }>): Part[] {
  const steps: Array<{ said: Part[]; results: Part[] }> = [{ said: [], results: [] }];
  for (const part of looseList(parts)) {
    const type = String(part["type"]);
    const { said, results } = steps.at(-1)!;
    const toolName = type === "dynamic-tool" ? part["toolName"] : type.startsWith("tool-") && "toolCallId" in part ? type.slice(5) : undefined;
    if (type === "step-start") steps.push({ said: [], results: [] });
    else if (toolName !== undefined) {
      const isDynamic = type === "dynamic-tool";
      if (part["state"] === "input-streaming") continue;
      said.push(call({ ...part, dynamic: isDynamic || undefined }, toolName, part["input"] ?? part["rawInput"] ?? {}));
      const output = outputOf(part);
      if (output !== undefined) results.push(result(part, toolName, output));
    } else if (type.startsWith("data-")) said.push(part as Part);
    else said.push(...keptParts([part]));
  }
  return steps.flatMap(({ said, results }) => [...said, ...results]);
}

/** What came of a call, if anything did. */
function outputOf({ state, output, errorText, preliminary, approval }: Loose): unknown {
  if (state === "output-available" && preliminary !== true) return { type: "json", value: output ?? null };
  if (state === "output-error") return outcome(errorText, true);
  if (state === "output-denied") return { type: "execution-denied", reason: (approval as Loose | undefined)?.["reason"] };
  return undefined;
}
