/**
 * Recorded model answers: read, matched to what the model is asked, and played.
 *
 * An answer is chosen by the messages in the prompt, never by the order of calls. In a recorded answer `target` is the text of
 * a known fact; the number under which the prompt shows it is put in its place.
 */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { conversations } from "../../scripts/eval/set.mjs";
import { dataset } from "./locomo.mjs";

const root = resolve(import.meta.dirname, "../..");
const fixtures = join(root, "tests/fixtures");
const json = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));

/** The profile schema of the recordings. */
export const profile = json(fixtures, "conversations/profile.json");

/** Answers that no model should give, and what becomes of them. */
export const hostile = json(fixtures, "hostile.json").answers;

/** The version of the extraction prompt that the sources have. */
function promptVersion() {
  const source = readFileSync(join(root, "src/memory/asking/prompts/mod.rs"), "utf8");
  return /EXTRACT_VERSION: &str = "(.+)"/.exec(source)[1];
}

/** A conversation of the fixtures: its sessions, as `remember` takes them. */
export function conversation(name) {
  const { sessions } = json(fixtures, "conversations", `${name}.json`);
  return sessions.map(({ threadId, messages }) => ({
    threadId,
    messages: messages.map((message) => ({ ...message, createdAt: Date.parse(message.createdAt) })),
  }));
}

/** The first session of a LoCoMo conversation, as `remember` takes it, with who is the user; null where the dataset is absent. */
export function firstSession(name, user) {
  const { folder } = dataset();
  if (folder === undefined) return null;
  const turns = conversations(folder).find(({ conv }) => conv === name).sessions.get(1);
  return [{
    threadId: "session-1",
    messages: turns.map(({ id, speaker, text, date_time }) => ({
      id,
      role: speaker === user ? "user" : "assistant",
      name: speaker,
      content: text.slice(`${speaker}: `.length),
      createdAt: Date.parse(`${date_time}Z`),
    })),
  }];
}

/**
 * A model that plays the recorded answers to a conversation.
 *
 * @returns {(messages: {content: string}[]) => string} what it answers to a prompt
 */
export function player(name, sessions) {
  const texts = new Map(sessions.flatMap(({ messages }) => messages.map(({ id, content }) => [id, content])));
  const folder = join(fixtures, "recordings", name);
  const recordings = readdirSync(folder).sort().map((file) => {
    const { prompt, messages, answer } = json(folder, file);
    assert.equal(prompt, promptVersion(), `${name}/${file} answers another version of the prompt: read the new one and record again`);
    return { heard: messages.map((id) => texts.get(id)), answer };
  });
  return ([, { content }]) => {
    const heard = block(content, "<conversation>").map(({ text }) => text);
    const recording = recordings.find((recording) => recording.heard.join("\n") === heard.join("\n"));
    assert.ok(recording, `no recording of ${name} answers these messages: ${JSON.stringify(heard)}`);
    const known = block(content, "Known facts, by number:");
    const facts = recording.answer.facts.map((fact) => {
      if (fact.target === null) return fact;
      const shown = known.find((line) => line.fact === fact.target);
      assert.ok(shown, `the prompt does not show the known fact ${JSON.stringify(fact.target)}`);
      return { ...fact, target: shown.number };
    });
    return JSON.stringify({ ...recording.answer, facts });
  };
}

/** The lines of JSON that follow a heading of the prompt. */
function block(prompt, heading) {
  const lines = prompt.slice(prompt.indexOf(heading) + heading.length).trimStart().split("\n");
  const end = lines.findIndex((line) => !line.startsWith("{"));
  return lines.slice(0, end).map((line) => JSON.parse(line));
}
