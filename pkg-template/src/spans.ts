/** Spans: what took how long, in the shape of OpenTelemetry's JSON. */
import type { ModelRequest } from "./types.js";

/**
 * What a call or a request to a model took, as OTLP has it in JSON. Nothing of what is remembered is in it. `kind` is 1 for calls of
 * the memory, 3 for requests to models, which are parts of calls where they are no background work.
 */
export interface Span {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 hexadecimal digits. */
  spanId: string;
  /** The span of the call that made a request; missing where there is none. */
  parentSpanId?: string;
  /** `"open"`, the name of a call such as `"facts.add"`, or `"chat"` or `"embeddings"`. */
  name: string;
  kind: 1 | 3;
  /** Nanoseconds since 1970 UTC, in decimal digits. */
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  /**
   * `db.system.name` and `db.operation.name` of calls; `gen_ai.operation.name`, `gen_ai.usage.input_tokens`,
   * `gen_ai.usage.output_tokens`, `mnemic.purpose` and `mnemic.prompt` of requests; `error.type`, the code of the error, of both.
   */
  attributes: Array<{ key: string; value: { stringValue: string } | { intValue: string } }>;
  /** 2 where it failed. */
  status: { code: 0 | 2 };
}

/** When something began, by the calendar and by a clock that nobody sets. */
export interface Begun {
  readonly at: number;
  readonly clock: number;
}

export function begun(): Begun {
  return { at: Date.now(), clock: performance.now() };
}

/** The name of a span: that of its trace, and its own. */
export function newSpan(traceId = hex(16)): string {
  return `${traceId}-${hex(8)}`;
}

/** The span of a call that has ended. */
export function callSpan(id: string, name: string, { at, clock }: Begun, code?: string): Span {
  return span(id, undefined, name, 1, at, performance.now() - clock, { "db.system.name": "mnemic", "db.operation.name": name, "error.type": code });
}

/** The span of a request to a model that has ended. */
export function requestSpan({ purpose, prompt, parent, startedAt, durationMs, inputTokens, outputTokens, texts, error }: ModelRequest): Span {
  const [traceId, parentSpanId] = parent?.split("-") ?? [];
  const name = texts === undefined ? "chat" : "embeddings";
  return span(newSpan(traceId), parentSpanId, name, 3, startedAt, durationMs, {
    "gen_ai.operation.name": name,
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": texts === undefined ? outputTokens : undefined,
    "mnemic.purpose": purpose,
    "mnemic.prompt": prompt,
    "error.type": error?.code,
  });
}

function span(id: string, parentSpanId: string | undefined, name: string, kind: Span["kind"], at: number, ms: number, said: Record<string, string | number | undefined>): Span {
  const [traceId = "", spanId = ""] = id.split("-");
  const attributes = Object.entries(said).flatMap(([key, value]) =>
    value === undefined ? [] : { key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } });
  const [startTimeUnixNano, endTimeUnixNano] = [nanoseconds(at), nanoseconds(at + ms)];
  const status = { code: said["error.type"] === undefined ? 0 : 2 } as const;
  return { traceId, spanId, ...(parentSpanId && { parentSpanId }), name, kind, startTimeUnixNano, endTimeUnixNano, attributes, status };
}

/** Milliseconds as nanoseconds; so many microseconds are a whole number still. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`;

const hex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
