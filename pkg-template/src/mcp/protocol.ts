/** JSON-RPC 2.0, as far as the Model Context Protocol needs it. */
import { isRecord } from "../plain.js";
import { INVALID_PARAMS, INVALID_REQUEST, type RequestId } from "./outgoing.js";

/** The versions of the protocol, the newest first. */
export const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** A request, or a notification when it has no id. */
export interface Request {
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** An error that a client is told. */
export class ProtocolError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * What a client sent; undefined for the answer to a request, of which this server makes none.
 *
 * @throws ProtocolError when it is neither.
 */
export function read(message: unknown): Request | undefined {
  if (!isRecord(message)) throw new ProtocolError(INVALID_REQUEST, "a message is not an object");
  const { jsonrpc, id, method, params = {} } = message as { [name: string]: unknown };
  if (jsonrpc !== "2.0") throw new ProtocolError(INVALID_REQUEST, 'a message lacks "jsonrpc": "2.0"');
  if (id !== undefined && !isId(id)) throw new ProtocolError(INVALID_REQUEST, "the id is not a string or a whole number");
  if (method === undefined && ("result" in message || "error" in message)) return undefined;
  if (typeof method !== "string") throw new ProtocolError(INVALID_REQUEST, "the method is not a string");
  if (!isRecord(params)) throw new ProtocolError(INVALID_PARAMS, "params is not an object");
  return { id, method, params };
}

/** The id that an answer to a message has, as far as it can be told. */
export function idOf(message: unknown): RequestId | null {
  const id: unknown = isRecord(message) ? (message as { id?: unknown }).id : null;
  return isId(id) ? id : null;
}

function isId(id: unknown): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}
