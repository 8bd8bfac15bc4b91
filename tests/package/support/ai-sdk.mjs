/** Both supported versions of the AI SDK, with their own mock models and what these answer. */
import * as six from "ai-6";
import { MockLanguageModelV3 } from "ai-6/test";
import * as seven from "ai";
import { MockLanguageModelV4 } from "ai/test";

globalThis.AI_SDK_LOG_WARNINGS = false;

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

const reason = (unified) => ({ unified, raw: unified });

/** What a model says at the end of a stream. */
export const finish = (unified = "stop") => ({ type: "finish", finishReason: reason(unified), usage: USAGE });

/** A text in pieces. */
export const text = (...deltas) => [
  { type: "text-start", id: "t" },
  ...deltas.map((delta) => ({ type: "text-delta", id: "t", delta })),
  { type: "text-end", id: "t" },
];

/** A tool's call. */
export const call = (toolName, input, toolCallId = "call-1") => ({ type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) });

/** What `doStream` answers with these parts. */
export const streamed = (...parts) => ({ stream: six.simulateReadableStream({ chunks: [{ type: "stream-start", warnings: [] }, ...parts.flat()], initialDelayInMs: null, chunkDelayInMs: null }) });

/** What `doGenerate` answers with this content. */
export const generated = (content, unified = "stop") => ({
  content: typeof content === "string" ? [{ type: "text", text: content }] : content,
  finishReason: reason(unified),
  usage: USAGE,
  warnings: [],
});

/** The versions. `bytes` is a file's data as a model writes it. `mock` makes a model that gives its answers one after the other; the last one again and again. */
export const versions = [
  { name: "AI SDK 7", ai: seven, Mock: MockLanguageModelV4, bytes: (data) => ({ type: "data", data }) },
  { name: "AI SDK 6", ai: six, Mock: MockLanguageModelV3, bytes: (data) => data },
].map((version) => ({
  ...version,
  mock(...answers) {
    let asked = 0;
    const next = async (options) => {
      const answer = answers[Math.min(asked++, answers.length - 1)];
      return typeof answer === "function" ? answer(options) : answer;
    };
    return new version.Mock({ doGenerate: next, doStream: next });
  },
}));
