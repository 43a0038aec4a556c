import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// It adds 50 ms to every start of Node, of which there are thousands, and no test leaves this machine.
delete process.env.NODE_EXTRA_CA_CERTS;

const source = (file: string) => fileURLToPath(new URL(`packages/engine/src/${file}`, import.meta.url));

/** Those that take half a minute and more. Begun last, each would be waited for with one of two workers idle. */
const LONG = [
  "test/journal/killed.test.ts",
  "test/docs/snippets.test.ts",
  "test/cli/new.test.ts",
  "test/process/runProcess.test.ts",
  "test/cookbook/cookbook.test.ts",
  "test/agent/killed.test.ts",
  "test/install/install.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  resolve: {
    // Tests read the sources, so that a stale build can never make them pass or fail.
    alias: [
      { find: /^@hookline\/engine$/, replacement: source("index.ts") },
      { find: /^@hookline\/engine\/program$/, replacement: source("program.ts") },
      { find: /^@hookline\/engine\/process$/, replacement: source("process/index.ts") },
    ],
  },
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: "packages/cli/test/support/codeCacheSetup.ts",
    testTimeout: 20_000,
    // One more than the usual two cores: real processes are started all over the suite, and many tests wait for one of them.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Plugins are loaded by Node itself, as they are outside of tests.
    server: { deps: { external: [/[?&]hookline=/] } },
  },
});
