/** The calls a model makes to the memory: carried out, told to it again, and kept with the reply. */
import type { Turn } from "../models/model";
import type { User } from "../types";
import { shortenedTo } from "../window/count";
import { clipped, fitting } from "./fitting";

/** What a model asks for. */
export interface AskedCall {
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

/** A call with what came of it. */
export interface MadeCall extends AskedCall {
  readonly ok: boolean;
  /** What the model was told. */
  readonly result: string;
  readonly tookMs: number;
}

/** What is kept of each text of a call, the longest first that lets all of them be kept. */
const KEPT_CHARACTERS = [2000, 600, 150, 40];
/** What the message of a reply keeps beside its words has at most 16 KiB; the rest is for what was recalled. */
const KEPT_BYTES = 8 * 1024;

const TOOL_NAME = /^[\w.-]{1,100}$/;
const NO_ROOM = "There is no room left in the window for the result.";
/** A result that is shorter than this tells nothing. */
const LEAST_TOKENS = 20;

/** Calls a tool. What is wrong with the call is its result; only a failing memory rejects. */
export async function carryOut(user: User, call: AskedCall, threadId: string, roomTokens: number, signal: AbortSignal): Promise<MadeCall> {
  const start = performance.now();
  const { ok, result } = await user.callTool(call.name, call.arguments, { threadId, signal });
  const tookMs = Math.round(performance.now() - start);
  const told = roomTokens < LEAST_TOKENS ? NO_ROOM : await shortenedTo(user, result, roomTokens);
  return { name: call.name, arguments: call.arguments, ok, result: told, tookMs };
}

/** The calls as the model is told that it made them; longer arguments are left out. */
export function turnsOf(calls: readonly MadeCall[], mostCharacters: number): Turn[] {
  return calls.flatMap(({ name, arguments: given, result }, index): Turn[] => {
    const id = `call_${index + 1}`;
    // Some servers refuse a name or arguments that their own model wrote.
    const isTold = given.length <= mostCharacters && isObject(given);
    const called = { name: TOOL_NAME.test(name) ? name : "unknown", arguments: isTold ? given : "{}" };
    return [
      { role: "assistant", content: "", tool_calls: [{ id, type: "function", function: called }] },
      { role: "tool", tool_call_id: id, content: result },
    ];
  });
}

/** As much of the calls as may be kept with a message. */
export function keptCalls(calls: readonly MadeCall[]): MadeCall[] {
  return fitting(KEPT_CHARACTERS, KEPT_BYTES, (most) => calls.map((call) =>
    ({ ...call, name: clipped(call.name, 100), arguments: clipped(call.arguments, most), result: clipped(call.result, most) })));
}

/** The calls among anything that was kept; none when it holds nothing of the kind. */
export function readCalls(kept: unknown): MadeCall[] {
  return Array.isArray(kept) ? kept.filter(isMadeCall) : [];
}

function isMadeCall(call: unknown): call is MadeCall {
  const { name, arguments: given, ok, result, tookMs } = (call ?? {}) as Record<string, unknown>;
  return typeof name === "string" && typeof given === "string" && typeof ok === "boolean" && typeof result === "string" && typeof tookMs === "number";
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
