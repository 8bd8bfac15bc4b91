/** A plain page of a user, with no bundler: it imports the installed package by its path and shows it as `mnemic`. */
export const PAGE = {
  "index.html": '<!doctype html><title>mnemic</title><script type="module" src="page.js"></script>',
  "page.js": 'import * as mnemic from "./node_modules/mnemic/entry/browser.js";\nglobalThis.mnemic = mnemic;\n',
};

/** A policy that allows WebAssembly and files of the page's own server, and nothing else. */
export const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

/** Waits until the page has its package. */
export function ready(page) {
  return page.waitForFunction(() => globalThis.mnemic !== undefined);
}
