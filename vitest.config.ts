import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// It adds 50 ms to every start of Node, of which there are thousands, and no test leaves this machine.
delete process.env.NODE_EXTRA_CA_CERTS;

const source = (file: string) => fileURLToPath(new URL(`packages/${file}`, import.meta.url));

/** Those that take longest. Begun last, each would be waited for with the other workers idle. */
const LONG = [
  "test/process/runProcess.test.ts",
  "test/attacks/processes.test.ts",
  "test/attacks/embedding.test.ts",
  "test/hooks/worker.test.ts",
  "test/attacks/settings.test.ts",
  "test/tools/mcpTools.test.ts",
  "test/attacks/journal.test.ts",
  "test/process/spawner.test.ts",
  "test/install/install.test.ts",
  "test/docs/snippets.test.ts",
  "test/worker/helpers.test.ts",
  "test/cookbook/cookbook.test.ts",
  "test/cli/new.test.ts",
  "test/cli/test.test.ts",
];

/** The long ones first, and the others by project: a worker goes on only with a file of the same project. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    const rank = (file: TestSpecification) => `${isLong(file) ? 0 : 1} ${file.project.name}`;
    return sorted.toSorted((one, other) => rank(one).localeCompare(rank(other)));
  }
}

const resolve = {
  // Tests read the sources, so that a stale build can never make them pass or fail.
  alias: [
    { find: /^@hookline\/engine$/, replacement: source("engine/src/index.ts") },
    { find: /^@hookline\/engine\/program$/, replacement: source("engine/src/program.ts") },
    { find: /^@hookline\/engine\/process$/, replacement: source("engine/src/process/index.ts") },
    { find: /^@hookline\/journal$/, replacement: source("journal/src/index.ts") },
    { find: /^@hookline\/journal\/program$/, replacement: source("journal/src/program.ts") },
  ],
};

/** The files of a project share their workers, and so the modules that were loaded: to load them again for each file takes minutes. */
const shared = {
  isolate: false,
  // Plugins are loaded by Node itself, as they are outside of tests.
  server: { deps: { external: [/[?&]hookline=/] } },
};

export default defineConfig({
  test: {
    globalSetup: "packages/cli/test/support/codeCacheSetup.ts",
    // Twice the usual two cores: real processes are started all over the suite, and half of the time tests wait for one of them.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        test: { ...shared, name: "engine", include: ["packages/engine/test/**/*.test.ts"], testTimeout: 20_000 },
      },
      {
        resolve,
        test: { ...shared, name: "journal", include: ["packages/journal/test/**/*.test.ts"], testTimeout: 120_000 },
      },
      {
        resolve,
        test: {
          ...shared,
          name: "cli",
          include: ["packages/cli/test/**/*.test.ts", "examples/**/*.test.ts"],
          // Most tests start a handful of programs; a machine that has much else to do takes its time for that.
          testTimeout: 120_000,
        },
      },
      {
        resolve,
        test: { ...shared, name: "client", include: ["packages/client/test/**/*.test.ts"], testTimeout: 120_000 },
      },
    ],
  },
});
