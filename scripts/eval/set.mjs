/**
 * Sets of memories and of questions about them. A set is a folder:
 *
 * - `turns.jsonl`, a memory a line: `{conv, id, text, date_time, session?, speaker?, kind?}`. `kind` is `"fact"` for a fact;
 *   all others are turns of a conversation. Only memories with the same `conv` are searched together, and ids are unique there.
 * - `questions.jsonl`: `{conv, qid, category, question, evidence}`; `evidence` lists the memories that answer, none when nothing does.
 *   `updated` and `original` list a statement and the one that it replaced; `tolerated` what may come along without being an answer.
 * - `turns.f16` and `questions.f16`, if there are vectors: 384 little-endian IEEE halves for each line, without a header.
 * - `set.json`, if more is known: `{profile: {name}}`; the name is the user's.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Missing } from "../missing.mjs";

const DIMENSIONS = 384;

const lines = (folder, name) => readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));

const isSet = (folder) => existsSync(join(folder, "turns.jsonl")) && existsSync(join(folder, "questions.jsonl"));

/** The folders of sets: `folder` itself, or those in it, in the order of their names; a `Missing` when there are none. */
export function setsIn(folder) {
  const path = resolve(folder);
  if (isSet(path)) return [path];
  const inside = existsSync(path) ? readdirSync(path).sort().map((name) => join(path, name)).filter(isSet) : [];
  if (inside.length === 0) throw new Missing(`sets in ${path}`, "name a folder with turns.jsonl and questions.jsonl, or one that holds such folders");
  return inside;
}

/** A set with its conversations; `vectors` by text, undefined when it has none. */
export function readSet(folder) {
  const about = join(folder, "set.json");
  const hasVectors = existsSync(join(folder, "turns.f16")) && existsSync(join(folder, "questions.f16"));
  return {
    name: basename(folder),
    ...(existsSync(about) && JSON.parse(readFileSync(about, "utf8"))),
    conversations: conversations(folder),
    vectors: hasVectors ? vectors(folder) : undefined,
  };
}

/** Every conversation: its facts, its sessions, by number, with their turns, and its questions. */
export function conversations(folder) {
  const questions = grouped(lines(folder, "questions.jsonl"), "conv");
  return Array.from(grouped(lines(folder, "turns.jsonl"), "conv"), ([conv, memories]) => ({
    conv,
    facts: memories.filter(({ kind }) => kind === "fact"),
    sessions: grouped(memories.filter(({ kind }) => kind !== "fact"), "session"),
    questions: questions.get(conv) ?? [],
  }));
}

function grouped(items, name) {
  const groups = new Map();
  for (const item of items) {
    if (!groups.has(item[name])) groups.set(item[name], []);
    groups.get(item[name]).push(item);
  }
  return groups;
}

/** The vectors that come with a set, by text. */
function vectors(folder) {
  const found = new Map();
  for (const [name, text] of [["turns", "text"], ["questions", "question"]]) {
    const halves = readFileSync(join(folder, `${name}.f16`));
    lines(folder, `${name}.jsonl`).forEach((line, row) => {
      const at = (column) => half(halves.readUInt16LE(2 * (row * DIMENSIONS + column)));
      found.set(line[text], Float32Array.from({ length: DIMENSIONS }, (_, column) => at(column)));
    });
  }
  return found;
}

/** An IEEE half as a number. */
function half(bits) {
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  const size = exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15);
  return bits >> 15 === 1 ? -size : size;
}
