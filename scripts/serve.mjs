/** A static server for the built demo, the documentation and the tests: this machine only, with the policy the package promises to work under. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { Failure } from "./program.mjs";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

const policy = {
  "Cache-Control": "no-cache",
  "Content-Security-Policy":
    "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

const host = "127.0.0.1";

/** The path of an address, or null when it is none. */
function pathOf(url) {
  try {
    return decodeURIComponent(new URL(url, `http://${host}`).pathname);
  } catch {
    return null;
  }
}

/** The file that a path names, or null when there is none inside `folder`. */
async function fileOf(folder, path) {
  const file = normalize(join(folder, path.endsWith("/") ? `${path}index.html` : path));
  if (!file.startsWith(folder + sep) || file.includes("\0")) return null;
  const found = await stat(file).catch(() => null);
  return found?.isFile() ? { file, size: found.size } : null;
}

/**
 * Serves the files of `folder`.
 *
 * @param {string} folder absolute path
 * @param {number} port 0 for any free one
 * @param {Record<string, string>} more headers of every answer
 * @param {Record<string, string>} under other folders by the first part of their paths, such as `docs`
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export function serve(folder, port, more = {}, under = {}) {
  const headers = { ...policy, ...more };
  const find = (path) => {
    const [first, ...rest] = path.slice(1).split("/");
    return Object.hasOwn(under, first) ? fileOf(under[first], `/${rest.join("/")}`) : fileOf(folder, path);
  };
  const server = createServer(async (request, response) => {
    const answer = (status, own = {}) => response.writeHead(status, { ...headers, ...own });
    if (request.method !== "GET" && request.method !== "HEAD") return answer(405, { Allow: "GET, HEAD" }).end();
    const path = pathOf(request.url);
    if (Object.hasOwn(under, path?.slice(1) ?? "")) return answer(301, { Location: `${path}/` }).end();
    const found = path === null ? null : await find(path);
    if (found === null) return answer(404, { "Content-Type": types[".txt"] }).end("not found\n");
    const type = types[extname(found.file)] ?? "application/octet-stream";
    answer(200, { "Content-Type": type, "Content-Length": found.size });
    if (request.method === "HEAD") response.end();
    else createReadStream(found.file).on("error", () => response.destroy()).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const taken = error.code === "EADDRINUSE";
      reject(taken ? new Failure(`port ${port} is taken; choose another one, for instance PORT=${port + 1} npm start`) : error);
    });
    server.listen(port, host, () => {
      const close = () =>
        new Promise((closed) => {
          server.close(closed);
          server.closeAllConnections();
        });
      resolve({ url: `http://${host}:${server.address().port}`, close });
    });
  });
}
