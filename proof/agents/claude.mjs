import { join } from "node:path";
import { writeJson } from "../files.mjs";

/** @type {import("./index.mjs").Agent} */
export const claude = {
  name: "claude",
  title: "Claude Code",
  package: "@anthropic-ai/claude-code",
  program: (modules) => [join(modules, `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`)],
  args: (prompt) => ["-p", prompt, "--permission-mode", "acceptEdits", "--allowedTools", "Bash,Read,Write,Edit"],
  env: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-x",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  async prepare() {},
  shell: (command) => ({ name: "Bash", args: { command, description: "Run it" } }),
  write: (path, content) => ({ name: "Write", args: { file_path: path, content } }),
  async hook({ home, event, command, timeoutMs, blocksOnFailure }) {
    const policy = blocksOnFailure ? { onFailure: "block" } : {};
    const hook = { type: "command", command, timeout: timeoutMs / 1000, ...policy };
    await writeJson(join(home, ".claude/settings.json"), { hooks: { [event]: [{ hooks: [hook] }] } });
  },
};
