import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { serve } from "../../scripts/serve.mjs";

let outside;
let server;

before(async () => {
  outside = mkdtempSync(join(tmpdir(), "serve-"));
  mkdirSync(join(outside, "site"));
  writeFileSync(join(outside, "secret.txt"), "no");
  writeFileSync(join(outside, "site/index.html"), "<p>hello");
  writeFileSync(join(outside, "site/module.wasm"), "");
  mkdirSync(join(outside, "pages"));
  writeFileSync(join(outside, "pages/index.html"), "<p>read");
  server = await serve(join(outside, "site"), 0, {}, { docs: join(outside, "pages") });
});

after(async () => {
  await server.close();
  rmSync(outside, { recursive: true });
});

/** The status of a path sent as it is; fetch would tidy it. */
function statusOf(path, method = "GET") {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    request({ hostname, port, path, method }, (response) => resolve(response.resume().statusCode))
      .once("error", reject)
      .end();
  });
}

test("pages come with their type and the policy", async () => {
  const page = await fetch(server.url);
  assert.equal(await page.text(), "<p>hello");
  assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
  assert.match(page.headers.get("content-security-policy"), /script-src 'self' 'wasm-unsafe-eval';/);
  const module = await fetch(`${server.url}/module.wasm`);
  assert.equal(module.headers.get("content-type"), "application/wasm");
});

test("nothing outside the folder is served", async () => {
  for (const path of ["/../secret.txt", "/%2e%2e/secret.txt", "/%2e%2e%2fsecret.txt", "/%00", "/none", "//", "/%"]) {
    assert.equal(await statusOf(path), 404, path);
  }
  assert.equal(await statusOf("/", "POST"), 405);
});

test("another folder is served under a path, and nothing beside it", async () => {
  assert.equal(await (await fetch(`${server.url}/docs`)).text(), "<p>read");
  assert.equal(await (await fetch(`${server.url}/docs/index.html`)).text(), "<p>read");
  for (const path of ["/docs/../secret.txt", "/docs/%2e%2e/secret.txt", "/docs/%2e%2e%2fsecret.txt", "/docs/none"]) {
    assert.equal(await statusOf(path), 404, path);
  }
});

test("a taken port is named, with the cure", async () => {
  const port = Number(new URL(server.url).port);
  await assert.rejects(serve(outside, port), new RegExp(`port ${port} is taken.*PORT=`));
});
