/** Values as a serializer leaves them, in documents: a long one in parts. */
import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";
import { base64Bytes, base64Text } from "../base64.js";
import type { Document, DocumentOperation } from "../documents.js";
import { partsOf } from "./places.js";

/** What the document of a value holds. */
export interface Packed {
  /** What the bytes are, as the serializer says. */
  readonly type: string;
  /** The bytes as a text: as they are when they are one, as those of JSON are, and otherwise as base64. */
  readonly text: string;
  readonly encoding?: "base64";
  /** How many documents hold the rest of the text; absent for none. */
  readonly parts?: number;
}

/** Nothing of a checkpoint is searched, and all is kept until its thread is deleted. */
export const KEPT = { index: false, ttlMs: false } as const;

/** How many characters a document takes, so that it is within its limit in every script. */
const MAX_CHARACTERS = 128 * 1024;

/** Reads texts as they are, and fails on bytes that are none. */
const texts = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * What puts a value, its parts first; `about` is what else its document is to hold. Nothing puts a value that the serializer writes as no
 * JSON at all, such as a function: it could not be read.
 */
export async function puts(namespace: string[], key: string, about: object, value: unknown, serde: SerializerProtocol): Promise<DocumentOperation[]> {
  const [type, data] = await serde.dumpsTyped(value);
  if (type === "json" && data.length === 0) return [];
  const { text, ...encoding } = written(data);
  const [first = "", ...rest] = pieces(text);
  const parts = rest.map((text, place): DocumentOperation => ({ op: "put", namespace: partsOf(namespace, key), key: partKey(place), value: { text }, ...KEPT }));
  const own = { ...about, type, text: first, ...encoding, ...(rest.length > 0 && { parts: rest.length }) } satisfies Packed;
  return [...parts, { op: "put", namespace, key, value: own, ...KEPT }];
}

/** What reads the rest of a value; none for most. */
export function restOf({ namespace, key, value }: Document): DocumentOperation[] {
  const { parts = 0 } = value as unknown as Packed;
  return Array.from({ length: parts }, (_, place) => ({ op: "get", namespace: partsOf(namespace, key), key: partKey(place), refreshTtl: false }));
}

/** The value of a document and of the rest. */
export function unpacked({ value }: Document, rest: ReadonlyArray<Document | null>, serde: SerializerProtocol): Promise<unknown> {
  const { type, text, encoding } = value as unknown as Packed;
  const whole = [text, ...rest.map((part) => part?.value["text"] ?? "")].join("");
  const data = encoding === "base64" ? base64Bytes(whole) : new TextEncoder().encode(whole);
  return serde.loadsTyped(type, data);
}

const partKey = (place: number): string => String(place).padStart(6, "0");

function written(data: Uint8Array): Pick<Packed, "text" | "encoding"> {
  try {
    return { text: texts.decode(data) };
  } catch {
    return { text: base64Text(data), encoding: "base64" };
  }
}

/** A text in pieces that are texts themselves: no character is cut in two. */
function pieces(text: string): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length; ) {
    const last = text.charCodeAt(start + MAX_CHARACTERS - 1);
    const isFirstHalf = last >= 0xd800 && last < 0xdc00;
    const end = start + MAX_CHARACTERS - (isFirstHalf ? 1 : 0);
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}
