/** A tiny static server. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/**
 * Serves a folder.
 *
 * @param {string} folder
 * @param {{headers?: Record<string, string>, types?: Record<string, string>}} options `headers` of every answer, and `types`
 *   laid over the usual MIME types
 * @returns {Promise<{url: string, close(): Promise<void>}>}
 */
export async function serve(folder, { headers = {}, types = {} } = {}) {
  const mime = { ...TYPES, ...types };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = normalize(join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    try {
      if (!path.startsWith(folder)) throw new Error("outside of the folder");
      const content = await readFile(path);
      response.writeHead(200, { ...headers, "content-type": mime[extname(path)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404, headers).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
