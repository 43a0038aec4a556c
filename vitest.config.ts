import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (file: string) => fileURLToPath(new URL(`packages/engine/src/${file}`, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests read the sources, so that a stale build can never make them pass or fail.
    alias: [
      { find: /^@hookline\/engine$/, replacement: source("index.ts") },
      { find: /^@hookline\/engine\/process$/, replacement: source("process/index.ts") },
    ],
  },
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/**/*.test.ts"],
    testTimeout: 20_000,
    // Real processes are started all over the suite; more workers than cores only adds noise.
    maxWorkers: 2,
    // Plugins are loaded by Node itself, as they are outside of tests.
    server: { deps: { external: [/[?&]hookline=/] } },
  },
});
