/** The example for Cloudflare, as its README says: served by wrangler's own server, and bundled for deployment. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { cp, mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { at } from "../../scripts/project.mjs";
import { complaints } from "./support/compiler.mjs";
import { createProject } from "./support/project.mjs";

const execute = promisify(execFile);
const SECRET = "a secret of the tests with 32 characters";
const env = { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", TOKEN_SECRET: SECRET };

let project, client, server;

before(async () => {
  project = await createProject({ ".dev.vars": `TOKEN_SECRET=${SECRET}\n` });
  for (const name of ["package.json", "wrangler.jsonc", "src", "token.mjs"]) {
    await cp(at("examples/cloudflare", name), project.path(name), { recursive: true });
  }
  for (const name of ["jose", "wrangler"]) {
    await mkdir(dirname(project.path("node_modules", name)), { recursive: true });
    await symlink(at("examples/cloudflare/node_modules", name), project.path("node_modules", name));
  }
  client = await project.import('export * from "mnemic/cloudflare/client";');
  server = await serve();
});

after(async () => {
  await server?.stop();
  await project?.remove();
});

const wrangler = (...args) => [join(project.folder, "node_modules/wrangler/bin/wrangler.js"), ...args];

/** Starts wrangler's server, and answers when it says where it is. */
async function serve() {
  const child = spawn(process.execPath, wrangler("dev", "--ip", "127.0.0.1", "--port", "0", "--show-interactive-dev-session=false"), {
    cwd: project.folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const lines = [];
  const ended = new Promise((resolve) => child.once("close", resolve));
  const url = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        lines.push(line);
        const found = /Ready on (http:\/\/\S+)/.exec(line)?.[1];
        if (found) resolve(found);
      });
    }
    void ended.then(() => reject(new Error(lines.join("\n"))));
  });
  return {
    url,
    lines,
    /** Ends it with the runtime that it has started. */
    async stop() {
      process.kill(-child.pid, "SIGTERM");
      await ended;
    },
  };
}

async function tokenOf(user, secret = SECRET) {
  const { stdout } = await execute(process.execPath, ["token.mjs", user], { cwd: project.folder, env: { ...env, TOKEN_SECRET: secret } });
  return stdout.trim();
}

test("a signed token leads a user to their memory, by the client and by the app's own route", async () => {
  const token = await tokenOf("alice");
  const alice = client.memoryClient({ url: `${server.url}/memory`, token });
  await alice.remember({ role: "user", content: "My name is Ana and I live in Lisbon." });
  await alice.flush();
  assert.ok((await alice.facts.list()).some(({ text }) => text === "The user lives in Lisbon."));
  const ask = (authorization) => fetch(`${server.url}/prompt`, { method: "POST", headers: { authorization }, body: "Where do I live?" });
  assert.match(await (await ask(`Bearer ${token}`)).text(), /The user lives in Lisbon\./);
  assert.equal((await ask("Bearer x")).status, 401);
  const bob = client.memoryClient({ url: `${server.url}/memory`, token: await tokenOf("bob") });
  assert.deepEqual(await bob.facts.list(), []);
});

test("nobody else comes in: no token, another secret's, one that nobody signed", async () => {
  const [header, payload] = (await tokenOf("alice")).split(".");
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
  for (const token of [undefined, "", await tokenOf("alice", "another secret of at least 32 characters"), unsigned, `${header}.${payload}.`]) {
    await assert.rejects(client.memoryClient({ url: `${server.url}/memory`, token }).facts.list(), client.UnauthorizedError);
  }
});

/** The body was left unread, and the next call through wrangler's server got its 503. */
test("a call that is refused before its body was read does not spoil the next one", async () => {
  const dora = client.memoryClient({ url: `${server.url}/memory`, token: await tokenOf("dora") });
  const nobody = client.memoryClient({ url: `${server.url}/memory` });
  const long = "word ".repeat(600_000);
  for (let round = 0; round < 5; round += 1) {
    await assert.rejects(dora.facts.add(long), client.InvalidInputError);
    assert.deepEqual(await dora.facts.list(), []);
    await assert.rejects(nobody.facts.add(long), client.UnauthorizedError);
    assert.deepEqual(await dora.facts.list(), []);
  }
});

test("what was confirmed is there after the server was started again", async () => {
  const token = await tokenOf("carol");
  const carol = () => client.memoryClient({ url: `${server.url}/memory`, token });
  await carol().facts.add("Carol sails");
  await server.stop();
  server = await serve();
  assert.deepEqual((await carol().facts.list()).map(({ text }) => text), ["Carol sails"]);
});

test("it is bundled for deployment, with every part of the engine, and fits the free plan", async (context) => {
  await execute(process.execPath, wrangler("deploy", "--dry-run", "--outdir", "dist"), { cwd: project.folder, env });
  const files = await readdir(project.path("dist"));
  assert.equal(files.filter((name) => name.endsWith(".wasm")).length, 6);
  let bytes = 0;
  for (const name of files.filter((name) => /\.(js|wasm)$/.test(name))) bytes += gzipSync(await readFile(project.path("dist", name))).length;
  context.diagnostic(`${bytes} bytes after gzip`);
  assert.ok(bytes < 3_000_000, `${bytes} bytes; the free plan takes 3 MB`);
  assert.ok((await stat(project.path("dist/worker.js"))).size > 0);
});

test("its source compiles with the types of the package", () => {
  const options = { lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: [], skipLibCheck: true };
  assert.deepEqual(complaints([project.path("src/worker.ts")], options), []);
});
