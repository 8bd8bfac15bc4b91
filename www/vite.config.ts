import { defineConfig, type Plugin } from "vite";

/** What the built page may do, wherever it is served: nothing from elsewhere, except to ask the endpoint the user names. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src http: https:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Only in the build: the development server brings styles as inline elements. */
const policy: Plugin = {
  name: "policy",
  apply: "build",
  transformIndexHtml: () => [{ tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: POLICY }, injectTo: "head-prepend" }],
};

export default defineConfig({
  plugins: [policy],
  // Pre-bundling would move the package's code away from its .wasm file.
  optimizeDeps: { exclude: ["mnemic"] },
  // Every asset stays a file of its own: the policy allows no data: addresses.
  build: { assetsInlineLimit: 0 },
});
