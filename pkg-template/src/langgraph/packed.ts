/** Values as a serializer leaves them. */
import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";

/** Bytes with what they are: as a text when they are one, as those of JSON are, and otherwise as base64. */
export type Packed = { readonly type: string; readonly text: string } | { readonly type: string; readonly base64: string };

/** Reads texts as they are, and fails on bytes that are none. */
const texts = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A value as bytes. */
export async function packed(value: unknown, serde: SerializerProtocol): Promise<Packed> {
  const [type, data] = await serde.dumpsTyped(value);
  try {
    return { type, text: texts.decode(data) };
  } catch {
    return { type, base64: btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join("")) };
  }
}

/** The value of such bytes. */
export function unpacked(packed: Packed, serde: SerializerProtocol): Promise<unknown> {
  const data = "text" in packed ? new TextEncoder().encode(packed.text) : Uint8Array.from(atob(packed.base64), (letter) => letter.charCodeAt(0));
  return serde.loadsTyped(packed.type, data);
}
