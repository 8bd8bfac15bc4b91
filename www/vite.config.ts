import { defineConfig } from "vite";

export default defineConfig({
  // Pre-bundling would move the package's code away from its .wasm file.
  optimizeDeps: { exclude: ["mnemic"] },
  build: {
    // Every asset stays a file of its own: the page's policy allows no data: addresses.
    assetsInlineLimit: 0,
  },
});
