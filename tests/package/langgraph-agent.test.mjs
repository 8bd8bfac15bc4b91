/** The example of an agent with LangGraph, started and used as its README says. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { langGraphProject } from "./support/langgraph.mjs";

let project;

before(async () => {
  ({ project } = await langGraphProject());
  await cp(at("examples/langgraph-agent"), project.folder, { recursive: true, filter: (path) => !/node_modules|memories/.test(path) });
});
after(() => project?.remove());

/** Starts the program, says lines to it, and answers the lines that it printed. */
async function session(memories, ...said) {
  const child = spawn(process.execPath, ["main.js"], { cwd: project.folder, env: { ...process.env, MEMORIES: memories }, timeout: 60_000 });
  let printed = "";
  let complaints = "";
  child.stdout.on("data", (data) => (printed += data));
  child.stderr.on("data", (data) => (complaints += data));
  child.stdin.end(said.map((line) => `${line}\n`).join(""));
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(code, 0, complaints);
  return printed.trimEnd().split("\n");
}

test("the conversation of its README", async () => {
  const readme = await readFile(at("examples/langgraph-agent/README.md"), "utf8");
  const dialogue = /```text\n\$ npm start\n([^]*?)\n```/.exec(readme)[1].split("\n");
  const isSaid = (line) => /^(Remember|Tell|What|yes|\/)/.test(line);
  assert.deepEqual(await session("readme", ...dialogue.filter(isSaid)), dialogue.filter((line) => !isSaid(line)));
});

test("a question waits while the program is stopped, and its answer is acted on", async () => {
  assert.deepEqual(await session("stopped", "Tell Bob that I am late"), ['Send "I am late" to Bob?']);
  assert.deepEqual(await session("stopped", "no"), ['Send "I am late" to Bob?', "I did not tell Bob anything"]);
  assert.deepEqual(await session("stopped", "/history"), ["1. I did not tell Bob anything"]);
});

test("back in time, a branch begins, and memories are found by what they mean in every thread", async () => {
  const first = await session("branches", "Remember that I sail every summer", "Remember that my cat is called Nori", "/back 1", "Who is my cat?", "/history");
  assert.deepEqual(first.slice(2, 4), ["Back after: I will remember that I sail every summer", "I remember: my cat is called Nori"]);
  assert.deepEqual(first.slice(4), ["1. I will remember that I sail every summer", "2. I will remember that my cat is called Nori", "3. I remember: my cat is called Nori"]);
  assert.deepEqual(await session("branches", "/thread other", "Do I like sailing?", "/history"), ["This is other.", "I remember: I sail every summer", "1. I remember: I sail every summer"]);
});
