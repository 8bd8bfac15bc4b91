/** Anthropic's memory tool over documents, beside the SDK's own for files of a disk, and in the SDK's tool runner. */
import Anthropic from "@anthropic-ai/sdk";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { complaints } from "./support/compiler.mjs";
import { createProject } from "./support/project.mjs";
import { random } from "../../scripts/random.mjs";

let project, mnemic, anthropic, memory;
let users = 0;

before(async () => {
  project = await createProject({}, ["@anthropic-ai", "json-schema-to-ts", "ts-algebra", "@babel", "standardwebhooks", "@types/node", "undici-types"]);
  mnemic = await project.import('export * from "mnemic";');
  anthropic = await project.import('export * from "mnemic/anthropic";');
  memory = await mnemic.openMemory({ name: "anthropic", storage: "memory", documents: { ttlMs: 300_000 } });
});

after(async () => {
  await memory?.close();
  await project?.remove();
});

const scope = () => memory.scope({ userId: `user-${++users}` });

/** What a command comes to. */
const outcome = async (run) => {
  try {
    return await run();
  } catch (error) {
    assert.ok(error instanceof Error);
    return { error: error.message };
  }
};

/** Both tools, each without files. */
async function both() {
  const user = scope();
  const disk = await BetaLocalFilesystemMemoryTool.init(project.path(`disk-${users}`));
  const tool = anthropic.memoryTool(user);
  return {
    user,
    theirs: (command) => outcome(() => disk[command.command](command)),
    ours: (command) => outcome(() => tool.run(command)),
  };
}

/** The files of a user. */
const files = async (user) => Object.fromEntries((await user.documents.search(["memories"], { limit: 1000 })).map(({ key, value }) => [key, value.text]));

const create = (path, file_text = "") => ({ command: "create", path, file_text });
const view = (path, view_range) => ({ command: "view", path, ...(view_range && { view_range }) });
const replace = (path, old_str, new_str) => ({ command: "str_replace", path, old_str, new_str });
const insert = (path, insert_line, insert_text) => ({ command: "insert", path, insert_line, insert_text });
const remove = (path) => ({ command: "delete", path });
const rename = (old_path, new_path) => ({ command: "rename", old_path, new_path });

/** What the SDK's own tests try, and more. Each is a list of commands, which both answer in the same words. */
const TRIED = {
  "a file is created once": [create("/memories/a.txt", "Hello"), create("/memories/a.txt", "New"), view("/memories/a.txt")],
  "a file is created in folders that are not there": [create("/memories/deep/nested/a.txt", "x"), view("/memories/deep/nested/a.txt")],
  "a file is seen with the numbers of its lines": [
    create("/memories/a.txt", "Line 1\nLine 2\nLine 3\nLine 4\nLine 5"),
    ...[undefined, [2, 4], [2, -1], [0, 1], [4, 99], [9, 12], [3]].map((range) => view("/memories/a.txt", range)),
    view("/memories/b.txt"),
  ],
  "an empty file, and one that ends with a line, are seen": [create("/memories/a.txt", ""), view("/memories/a.txt"), create("/memories/b.txt", "x\n"), view("/memories/b.txt")],
  "a text is replaced where it is the only one": [
    create("/memories/a.txt", "Line 1\nOld Text\nLine 3\nLine 4\nLine 5"),
    replace("/memories/a.txt", "Old Text", "New\nText"),
    view("/memories/a.txt"),
    replace("/memories/a.txt", "nowhere", "x"),
    replace("/memories/a.txt", "Line", "x"),
    replace("/memories/b.txt", "a", "b"),
    replace("/memories/a.txt", "Line 1", ""),
    view("/memories/a.txt"),
  ],
  "a text is inserted after a line": [
    create("/memories/a.txt", "Line 1\nLine 2"),
    insert("/memories/a.txt", 1, "between\n"),
    insert("/memories/a.txt", 0, "first"),
    insert("/memories/a.txt", 4, "last"),
    insert("/memories/a.txt", 10, "x"),
    insert("/memories/a.txt", -1, "x"),
    insert("/memories/b.txt", 0, "x"),
    view("/memories/a.txt"),
  ],
  "a file and a folder are deleted": [
    create("/memories/a.txt", "x"),
    create("/memories/sub/b.txt", "x"),
    create("/memories/subway.txt", "x"),
    remove("/memories/a.txt"),
    remove("/memories/sub"),
    remove("/memories/a.txt"),
    remove("/memories"),
    view("/memories/subway.txt"),
  ],
  "files and folders are renamed, and nothing is written over": [
    create("/memories/a.txt", "x"),
    create("/memories/sub/b.txt", "y"),
    rename("/memories/a.txt", "/memories/new/dir/a.txt"),
    rename("/memories/a.txt", "/memories/c.txt"),
    rename("/memories/sub", "/memories/new/sub"),
    rename("/memories/new/sub/b.txt", "/memories/new/dir/a.txt"),
    view("/memories/new/sub/b.txt"),
  ],
  "paths that lead elsewhere are refused": [
    create("/invalid/a.txt", "x"),
    create("/memories/../../../etc/passwd", "x"),
    view("/memories/../memories_backup/secret.txt"),
    view("/memories/.."),
    remove("/memories/../memories/../a"),
    rename("/memories/a", "/etc/passwd"),
    create("/memories/a/../b.txt", "fine"),
    view("/memories/./b.txt"),
  ],
  "texts are taken as they are": [create("/memories/김.txt", "$& \u0000 \r\n🚣 \\n"), view("/memories/김.txt"), view("/memories/%2e%2e/x")],
};

for (const [name, commands] of Object.entries(TRIED)) {
  test(`as the SDK's tool: ${name}`, async () => {
    const { theirs, ours } = await both();
    for (const command of commands) assert.deepEqual(await ours(command), await theirs(command), JSON.stringify(command));
  });
}

test("folders are seen two levels deep, without what is hidden", async () => {
  const { user, theirs, ours } = await both();
  assert.match(await ours(view("/memories")), /^Here're the files[^\n]*\n0B\t\/memories$/);
  for (const path of ["b.txt", "a/c.txt", "a/deep/d.txt", "a/deep/deeper/e.txt", ".hidden", "node_modules/x.txt", "ab.txt", "a-b.txt"]) {
    for (const tool of [theirs, ours]) await tool(create(`/memories/${path}`, "x".repeat(1536)));
  }
  // The size of a folder is that of its files, and not of its entry on a disk.
  const seen = (text) => text.split("\n").map((line) => (line.startsWith("Here") ? line : line.replace(/^[^\t]*/, ""))).sort();
  for (const path of ["/memories", "/memories/a", "/memories/a/deep"]) {
    assert.deepEqual(seen(await ours(view(path))), seen(await theirs(view(path))), path);
  }
  assert.match(await ours(view("/memories/a")), /\n4\.5K\t\/memories\/a\n1\.5K\t\/memories\/a\/c\.txt\n3K\t\/memories\/a\/deep\/\n1\.5K\t\/memories\/a\/deep\/d\.txt\n/);
  assert.equal(Object.keys(await files(user)).length, 8);
});

test("what the SDK's tool leaves to the disk, or gets wrong, is told", async () => {
  const { ours, user } = await both();
  await ours(create("/memories/a.txt", "one\ntwo\nthree"));
  await ours(create("/memories/dir/b.txt", "aa aa"));
  assert.match(await ours(replace("/memories/a.txt", "one\ntwo", "1\n2")), /edited/);
  for (const [command, told] of [
    [replace("/memories/dir/b.txt", "aa", "b"), /Multiple occurrences/],
    [replace("/memories/a.txt", "", "x"), /old_str is empty/],
    [view("/memories/a.txt", [1.5, 2]), /view_range/],
    [view("/memories/a.txt", ["1", 2]), /view_range/],
    [null, /null not implemented/],
    [replace("/memories/dir", "a", "b"), /is not a file/],
    [insert("/memories", 0, "x"), /is not a file/],
    [insert("/memories/a.txt", 1.5, "x"), /insert_line/],
    [insert("/memories/a.txt", undefined, "x"), /insert_line/],
    [create("/memories/dir", "x"), /already exists/],
    [create("/memories", "x"), /already exists/],
    [create("/memories/a.txt/b.txt", "x"), /a\.txt is a file/],
    [create("/memoriesb.txt", "x"), /must start with/],
    [create("/memories/b\n4.0K\t/memories/forged.txt", "x"), /control characters/],
    [rename("/memories/a.txt", "/memories/b\0.txt"), /control characters/],
    [create("/memories/b\u2028forged.txt", "x"), /control characters/],
    [create(undefined, "x"), /must be a text/],
    [create("/memories/c.txt", 7), /file_text/],
    [rename("/memories", "/memories/x"), /Cannot rename/],
    [rename("/memories/dir", "/memories/dir/in"), /into itself/],
    [{ command: "format" }, /not implemented/],
    [create(`/memories/${"x".repeat(2000)}`, "x"), /bytes/],
    [create("/memories/large.txt", "x".repeat(20 * 1024 * 1024)), /limit|exceed/],
  ]) assert.match((await ours(command)).error ?? "", told, JSON.stringify(command).slice(0, 100));
  assert.deepEqual(await files(user), { "a.txt": "1\n2\nthree", "dir/b.txt": "aa aa" });
});

test("a text that occurs everywhere is told in a moment, with the first lines it is in", async () => {
  const { ours } = await both();
  await ours(create("/memories/flat.txt", "a".repeat(800_000)));
  assert.match((await ours(replace("/memories/flat.txt", "a".repeat(400_000), "b"))).error, /Multiple occurrences.* in lines: 1\. /);
  await ours(create("/memories/lines.txt", "a\n".repeat(250_000)));
  const { error } = await ours(replace("/memories/lines.txt", "a", "b"));
  assert.match(error, /in lines: 1, 2, 3, .*20, \.\.\.\. Please/);
  assert.ok(error.length < 300);
});

test("of two who give different files the same name, one is told", async () => {
  const user = scope();
  const tools = [anthropic.memoryTool(user), anthropic.memoryTool(user)];
  for (const name of ["one", "two"]) await tools[0].run(create(`/memories/${name}.txt`, name));
  const outcomes = await Promise.all(["one", "two"].map((name, place) => outcome(() => tools[place].run(rename(`/memories/${name}.txt`, "/memories/three.txt")))));
  assert.deepEqual(outcomes.filter(({ error }) => error), [{ error: "The destination /memories/three.txt already exists" }]);
  assert.equal(Object.keys(await files(user)).length, 2);
});

test("random commands come to the same files as the SDK's tool", async (context) => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
  context.diagnostic(`SEED=${seed}`);
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const { theirs, ours } = await both();
  const folders = ["", "/a", "/a/b", "/c"];
  const path = () => `/memories${pick(folders)}/${pick(["x.txt", "y.txt", "z"])}`;
  const text = () => pick(["", "one", "one\ntwo", "two\nthree\nfour\n", "$1 $&"]);
  for (let step = 0; step < 300; step += 1) {
    const command = pick([
      () => create(path(), text()),
      () => create(path(), text()),
      () => view(path(), pick([undefined, [1, 2], [2, -1]])),
      () => replace(path(), pick(["one", "two", "four"]), pick(["five", "one\nsix"])),
      () => insert(path(), Math.floor(next() * 4), pick(["new", "new\n"])),
      () => remove(path()),
      () => rename(path(), path()),
    ])();
    // A folder without files is none here.
    assert.deepEqual(await ours(command), await theirs(command), `SEED=${seed}, step ${step}: ${JSON.stringify(command)}`);
  }
});

test("files are documents of the user: found, forgotten, undone, and kept for ever", async () => {
  const user = scope();
  const tool = anthropic.memoryTool(user);
  await tool.run(create("/memories/trip.txt", "The user wants to sail to the Azores"));
  const [found] = await user.documents.search(["memories"], { query: "sailing to the Azores" });
  assert.equal(found.key, "trip.txt");
  assert.equal(found.expiresAt, undefined);
  await tool.run(rename("/memories/trip.txt", "/memories/plans/trip.txt"));
  const [moved] = await user.documents.search(["memories"]);
  assert.deepEqual([moved.key, moved.expiresAt], ["plans/trip.txt", undefined]);
  await user.forget({ ids: [moved.id] });
  assert.match((await outcome(() => tool.run(view("/memories/plans/trip.txt")))).error, /does not exist/);
  const elsewhere = anthropic.memoryTool(user, { namespace: ["agents", "sailor"] });
  await elsewhere.run(create("/memories/a.txt", "x"));
  assert.equal((await user.documents.search(["agents", "sailor"])).length, 1);
  assert.deepEqual(await files(user), {});
  assert.throws(() => anthropic.memoryTool(memory), mnemic.InvalidInputError);
  assert.throws(() => anthropic.memoryTool(user, { folder: "x" }), mnemic.InvalidInputError);
  for (const none of [memory, undefined]) await assert.rejects(anthropic.memoryTools(none), mnemic.InvalidInputError);
});

test("commands that are sent at once are carried out in their order", async () => {
  const tool = anthropic.memoryTool(scope());
  const [first, second, third] = await Promise.allSettled([create("/memories/a.txt", "one"), create("/memories/a.txt", "two"), replace("/memories/a.txt", "one", "three")].map((command) => tool.run(command)));
  assert.deepEqual([first.status, second.status, third.status], ["fulfilled", "rejected", "fulfilled"]);
  assert.match(await tool.run(view("/memories/a.txt")), /three/);
});

test("more files than one page of the documents has are all seen, renamed and deleted", async () => {
  const user = scope();
  const tool = anthropic.memoryTool(user);
  const put = (number) => ({ op: "put", namespace: ["memories"], key: `many/${number}.txt`, value: { text: "x" } });
  for (const start of [0, 600]) await user.documents.batch(Array.from({ length: 600 }, (_, number) => put(start + number)));
  assert.equal((await tool.run(view("/memories/many"))).split("\n").length, 1202);
  await tool.run(rename("/memories/many", "/memories/others"));
  assert.match((await tool.run(view("/memories"))).split("\n")[1], /1\.2K\t\/memories$/);
  await tool.run(remove("/memories/others"));
  assert.deepEqual(await user.documents.search(["memories"]), []);
});

/** A folder that took several commits was left in halves, and a large one could not be renamed at all. */
describe("renaming a large folder", () => {
  const MIB = 2 ** 20;
  const large = async (user, count, bytes) => {
    for (let number = 0; number < count; number += 1) await user.documents.put(["memories"], `large/${number}.txt`, { text: `${number} ${"x".repeat(bytes)}` }, { index: ["text"] });
  };
  /** Documents that fail from the nth batch on, as those of a process that is killed do. */
  const killed = ({ documents }, batches) => ({
    documents: {
      get: (...given) => documents.get(...given),
      put: (...given) => documents.put(...given),
      list: (...given) => documents.list(...given),
      async batch(operations) {
        if ((batches -= 1) < 0) throw new Error("killed");
        return documents.batch(operations);
      },
    },
  });
  const folders = async (user) => {
    const found = {};
    for (const { key } of await user.documents.list([], { limit: 1000 })) (found[key.split("/")[0]] ??= []).push(key);
    return found;
  };

  test("needs no room for all of it in a commit", async () => {
    const user = scope();
    await large(user, 5, 6 * MIB);
    await anthropic.memoryTool(user).run(rename("/memories/large", "/memories/moved"));
    const { moved, ...others } = await folders(user);
    assert.deepEqual([moved.length, others], [5, {}]);
    assert.match(await anthropic.memoryTool(user).run(view("/memories/moved/4.txt")), /4 xxx/);
  });

  test("is finished by the next tool, wherever the process ended", async () => {
    for (let batches = 0; batches < 4; batches += 1) {
      const user = scope();
      await large(user, 8, 3 * MIB);
      await assert.rejects(anthropic.memoryTool(killed(user, batches)).run(rename("/memories/large", "/memories/moved")), /killed/);
      const next = anthropic.memoryTool(user);
      const seen = (await next.run(view("/memories"))).split("\n").filter((line) => line.includes(".txt"));
      assert.deepEqual(seen.map((line) => line.includes("/moved/")), Array(8).fill(batches > 0), `${batches} batches`);
      const { moved = [], large: left = [], ...others } = await folders(user);
      assert.deepEqual([moved.length, left.length, others], batches > 0 ? [8, 0, {}] : [0, 8, {}]);
    }
  });

  test("is finished by the same tool, and what stands in the way meanwhile stays", async () => {
    const user = scope();
    await large(user, 4, 4 * MIB);
    let isBroken = true;
    const { documents } = user;
    const batch = async (operations) => {
      const [first] = operations;
      if (isBroken && first.key === "large/2.txt") throw new Error("killed");
      return documents.batch(operations);
    };
    const tool = anthropic.memoryTool({ documents: { get: documents.get.bind(documents), put: documents.put.bind(documents), list: documents.list.bind(documents), batch } });
    await assert.rejects(tool.run(rename("/memories/large", "/memories/moved")), /killed/);
    isBroken = false;
    await user.documents.put(["memories"], "moved/3.txt", { text: "another" });
    await tool.run(view("/memories"));
    assert.match(await tool.run(view("/memories/moved/3.txt")), /another/);
    assert.match(await tool.run(view("/memories/large/3.txt")), /3 xxx/);
    const { moved, large: left, ...others } = await folders(user);
    assert.deepEqual([moved.length, left, others], [4, ["large/3.txt"], {}]);
  });
});

describe("in the SDK's tool runner", () => {
  /** A client whose model answers these, one after the other; `sent` is what it was sent. */
  function clientOf(...answers) {
    const sent = [];
    const fetch = async (url, { body }) => {
      sent.push(JSON.parse(body));
      const content = answers[sent.length - 1];
      const isCall = content[0].type === "tool_use";
      return Response.json({ id: "m", type: "message", role: "assistant", model: "claude", content, stop_reason: isCall ? "tool_use" : "end_turn", usage: { input_tokens: 1, output_tokens: 1 } });
    };
    return { client: new Anthropic({ apiKey: "none", fetch }), sent };
  }
  const use = (name, input, id = "1") => ({ type: "tool_use", id, name, input });
  const ask = (client, tools) => client.beta.messages.toolRunner({ model: "claude-sonnet-5-5", max_tokens: 100, tools, messages: [{ role: "user", content: "Note that I sail." }] });

  test("the memory tool keeps what the model writes, and tells it what is wrong", async () => {
    const user = scope();
    const { client, sent } = clientOf(
      [use("memory", create("/memories/user.txt", "Sails every summer"))],
      [use("memory", view("/memories/nowhere.txt"), "2")],
      [{ type: "text", text: "Noted." }],
    );
    const message = await ask(client, [anthropic.memoryTool(user)]);
    assert.equal(message.content[0].text, "Noted.");
    assert.deepEqual(sent[0].tools, [{ type: "memory_20250818", name: "memory" }]);
    assert.deepEqual(await files(user), { "user.txt": "Sails every summer" });
    const [result] = sent[2].messages.at(-1).content;
    assert.equal(result.is_error, true);
    assert.match(JSON.stringify(result.content), /does not exist/);
  });

  test("the memory's own tools run", async () => {
    const user = scope();
    const { client, sent } = clientOf([use("facts_add", { text: "The user sails" })], [use("facts_add", {}, "2")], [{ type: "text", text: "Noted." }]);
    await ask(client, await anthropic.memoryTools(user, { include: ["facts"] }));
    assert.deepEqual(sent[0].tools, await user.tools("anthropic", { include: ["facts"] }));
    assert.deepEqual((await user.facts.list()).map(({ text }) => text), ["The user sails"]);
    assert.equal(sent[2].messages.at(-1).content[0].is_error, true);
  });
});

test("the types fit those of the SDK", async () => {
  const path = await project.write(
    "types.ts",
    `import Anthropic from "@anthropic-ai/sdk";
     import { openMemory } from "mnemic";
     import { memoryTool, memoryTools } from "mnemic/anthropic";
     import { memoryClient } from "mnemic/cloudflare/client";
     const memory = await openMemory({ name: "a", storage: "memory" });
     const user = memory.scope({ userId: "a" });
     const tools = [memoryTool(user), memoryTool(memoryClient({ url: "https://a.example", token: "a" })), ...(await memoryTools(user, { include: ["facts"] }))];
     const message = await new Anthropic().beta.messages.toolRunner({ model: "claude-sonnet-5-5", max_tokens: 9, tools, messages: [] });
     console.log(message.content);
     // @ts-expect-error A memory is no user.
     memoryTool(memory);`,
  );
  assert.deepEqual(complaints([path], { lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"], types: ["node"], skipLibCheck: true }), []);
});
