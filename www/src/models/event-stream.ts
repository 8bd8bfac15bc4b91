/** The `data:` lines of a server-sent event stream, as they come. */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (value ?? "")).split(/\r\n|\n|\r/);
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) if (line.startsWith("data:")) yield line.slice(5).trim();
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
