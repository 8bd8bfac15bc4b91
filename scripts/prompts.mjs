/**
 * Renders every prompt for a conversation to files, and feeds answers back, so that any model, or a person, can play the
 * model and the memory that results can be judged.
 *
 *   npm run prompts -- --out DIR [--answers DIR] [--conversation FILE] [--user NAME] [--profile FILE] [--feedback TEXT]
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { report, say } from "./log.mjs";
import { Failure, program } from "./program.mjs";
import { at } from "./project.mjs";
import { conversation } from "./prompts/conversation.mjs";
import { Desk } from "./prompts/desk.mjs";
import { writeMemory } from "./prompts/memory.mjs";

const OPTIONS = {
  out: { type: "string" },
  answers: { type: "string" },
  conversation: { type: "string" },
  user: { type: "string" },
  profile: { type: "string" },
  feedback: { type: "string", default: "Please answer in fewer words." },
  json: { type: "boolean" },
};

function options() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (values.out === undefined) throw new Error("--out is missing");
    return values;
  } catch (error) {
    throw new Failure(
      `${error.message}\nusage: npm run prompts -- --out DIR [--answers DIR] [--conversation FILE] [--user NAME] [--profile FILE] [--feedback TEXT]`,
    );
  }
}

/** Plays a whole conversation at the desk; answers what is remembered at the end. */
async function play(openMemory, { sessions, profile, feedback }, desk) {
  const memory = await openMemory({
    name: "prompts",
    storage: "memory",
    llm: (request) => desk.answer(request),
    profiles: { "user-profile": profile },
  });
  const user = memory.scope({ user: "one" });
  try {
    for (const { threadId, messages } of sessions) {
      for (let start = 0; start < messages.length; start += 20) {
        await user.remember(messages.slice(start, start + 20), { threadId });
        await user.flush();
      }
    }
    const threadId = sessions.at(-1).threadId;
    await user.facts.consolidate();
    if (!desk.has("consolidate")) {
      // Nothing resembled anything: the prompt is shown with facts that do.
      const example = memory.scope({ user: "example" });
      await example.facts.add("The user likes green tea.");
      await example.facts.add("The user really likes green tea.");
      await example.facts.consolidate();
    }
    await user.episodes.learn({ threadId });
    await tier(openMemory, sessions, desk);
    await user.instructions.set("Answer as a helpful assistant.");
    await user.instructions.revise({ feedback, threadId });
  } catch (error) {
    // The desk has said what it waits for; a refused answer is worth its reason.
    if (!desk.waits) throw new Failure(`${desk.last}: the answer was not used: ${error.message}`);
  }
  return { user, memory };
}

/** Lets the exchanges of a conversation go through the tiers, in a memory of their own: few pages show every prompt. */
async function tier(openMemory, sessions, desk) {
  const memory = await openMemory({
    name: "tiers",
    storage: "memory",
    llm: (request) => desk.answer(request),
    extraction: { auto: false },
    tiers: { capacity: 2, heat: 0 },
  });
  const { tiers } = memory.scope({ user: "one" });
  for (const { messages } of sessions) {
    for (const [place, { role, content, createdAt }] of messages.entries()) {
      const next = messages[place + 1];
      if (role !== "user" || next?.role !== "assistant") continue;
      await tiers.add({ query: content, response: next.content, ...(createdAt && { createdAt }) });
    }
    await tiers.update();
  }
  await tiers.respond("What do you know about me?");
  await memory.close();
}

await program(import.meta.url, async () => {
  const { out, answers, conversation: file, user: name, profile: profileFile, feedback } = options();
  await build();
  const { openMemory } = await import(pathToFileURL(at("pkg/entry/node.js")).href);
  const profile = JSON.parse(readFileSync(profileFile ?? at("tests/fixtures/conversations/profile.json"), "utf8"));
  const { source, sessions } = conversation(file, name);
  say(`conversation: ${source}`);
  const desk = new Desk(resolve(out), answers && resolve(answers));
  const { user, memory } = await play(openMemory, { sessions, profile, feedback }, desk);
  const files = await writeMemory(user, resolve(out));
  const { calls, inputTokens, outputTokens } = await memory.usage();
  await memory.close();
  const end = desk.waits ? `waits for ${desk.waits}` : "every prompt has its answer";
  report(
    { prompts: desk.prompts, waits: desk.waits ?? null, memory: files, calls, inputTokens, outputTokens },
    [...desk.prompts, ...files].join("\n") + `\n${calls} calls, ${inputTokens} tokens in, ${outputTokens} out; ${end}`,
  );
});
