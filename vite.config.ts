import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const STATIC = here("./src/ludotheque/server/static");
const server = process.env["LUDOTHEQUE_SERVER"] ?? "http://localhost:8000";

// The oldest that are supported, as docs/players.md says; the build rewrites what they do not know.
const BROWSERS = ["safari16.4", "firefox128", "chrome120", "edge120"];

const ICON = "/icon.svg";
const LARGEST_KEPT_BYTES = 300_000; // larger files are fetched, and kept, when they are needed

/** Tells the service worker what to keep. */
function workerFiles(folder: string): Plugin {
  return {
    name: "worker-files",
    apply: "build",
    writeBundle(_, bundle) {
      const files = Object.values(bundle)
        .filter((file) => file.fileName.startsWith("assets/"))
        .filter((file) => ("code" in file ? file.code : file.source).length < LARGEST_KEPT_BYTES)
        .map((file) => `/${file.fileName}`)
        .sort();
      const path = `${folder}/service-worker.js`;
      const page = readFileSync(`${folder}/index.html`);
      const icon = readFileSync(`${folder}${ICON}`);
      const source = readFileSync(path, "utf-8");
      const parts = [page, source, icon, files.join()]; // names in assets/ tell what is in them
      const hash = parts.reduce((sum, part) => sum.update(part), createHash("sha256"));
      const filled = source
        .replace("__BUILD__", hash.digest("hex").slice(0, 12))
        .replace('["__FILES__"]', JSON.stringify([...files, ICON]));
      writeFileSync(path, filled);
    },
  };
}

// The page lives in client/, the boards in the games' folders; both are built into the package.
export default defineConfig({
  root: here("./client"),
  plugins: [svelte({ configFile: here("./svelte.config.js") }), workerFiles(STATIC)],
  resolve: { alias: { $client: here("./client") } },
  build: {
    outDir: STATIC,
    emptyOutDir: true,
    target: BROWSERS,
    cssTarget: BROWSERS,
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
