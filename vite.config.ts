import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = process.env["LUDOTHEQUE_SERVER"] ?? "http://localhost:8000";

// The page lives in client/, the boards in the games' folders; both are built into the package.
export default defineConfig({
  root: here("./client"),
  plugins: [svelte({ configFile: here("./svelte.config.js") })],
  resolve: { alias: { $client: here("./client") } },
  build: {
    outDir: here("./src/ludotheque/server/static"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700, // three.js, which only one board loads
    modulePreload: { polyfill: false },
  },
  server: {
    port: 5173,
    fs: { allow: [here(".")] },
    proxy: { "/api": { target: server, ws: true, changeOrigin: false } },
  },
  test: {
    dir: here("."),
    include: ["client/**/*.test.ts", "src/ludotheque/games/*/board/*.test.ts"],
    environment: "node",
    testTimeout: 60_000,
  },
});
