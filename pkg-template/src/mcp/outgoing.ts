/** What a server sends. */

/** What names a request. */
export type RequestId = string | number;

/** An answer, or a notification of the server. */
export type Outgoing =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId | null; readonly result: object }
  | { readonly jsonrpc: "2.0"; readonly id: RequestId | null; readonly error: { readonly code: number; readonly message: string } }
  | { readonly jsonrpc: "2.0"; readonly method: string; readonly params?: object };

/** Codes of errors. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** An answer that something failed. */
export function failed(id: RequestId | null, code: number, message: string): Outgoing {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
