import { expect, test } from "vitest";
import { agentMark, isOtherAgent } from "../../src/decisions/otherAgents.ts";

const GEMINI = "/usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js";

test.each([
  [["/home/kim/.local/bin/claude", "-p", "hi"], true],
  [["node", GEMINI], true],
  [["node", "--no-warnings=DEP0040", GEMINI, "-p", "hi"], true],
  [["node", "--require", "/x.cjs", "--import", "/y.mjs", "/usr/local/bin/gemini"], true],
  [["/usr/bin/env", "-S", "node", GEMINI], true],
  [["bun", "/app/node_modules/@anthropic-ai/claude-agent-sdk/cli.js"], true],
  [["sh", "/usr/local/bin/codex"], true],
  [["node", "build.mjs", "gemini"], false],
  [["node", "/work/run.mjs", "codex", "claude"], false],
  [["vim", "claude"], false],
  [["less", GEMINI], false],
  [["bash"], false],
  [[], false],
])("%j is an agent: %j", (argv, expected) => {
  expect(isOtherAgent({ pid: 1, parent: 0, startedAt: "", argv })).toBe(expected);
});

test("an agent that sets a variable is known by it", () => {
  expect(agentMark({ CLAUDECODE: "1" })).toBe("CLAUDECODE");
  expect(agentMark({ GEMINI_CLI: "", PATH: "/bin" })).toBeUndefined();
});
