import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeJson } from "../files.mjs";

/** @type {import("./index.mjs").Agent} */
export const codex = {
  name: "codex",
  title: "Codex",
  package: "@openai/codex",
  async program(modules) {
    const vendor = join(modules, `@openai/codex-${process.platform}-${process.arch}/vendor`);
    const [target] = await readdir(vendor);
    return [join(vendor, target, "bin/codex")];
  },
  // It skips hooks that a person has not trusted, and no person is here to do so.
  args: (prompt, { trustsHooks = true } = {}) => [
    "exec",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    ...(trustsHooks ? ["--dangerously-bypass-hook-trust"] : []),
    prompt,
  ],
  env: () => ({ FAKE_API_KEY: "x" }),
  async prepare({ home, project, url }) {
    await mkdir(join(home, ".codex"), { recursive: true });
    await writeFile(join(home, ".codex/config.toml"), config(url, project));
  },
  shell: (command) => ({ name: "exec_command", args: { cmd: command } }),
  write: (path, content) => ({
    name: "exec_command",
    args: { cmd: `apply_patch <<'END'\n*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch\nEND` },
  }),
  async hook({ home, event, command, timeoutMs }) {
    const hook = { type: "command", command, timeout: timeoutMs / 1000 };
    await writeJson(join(home, ".codex/hooks.json"), { hooks: { [event]: [{ hooks: [hook] }] } });
  },
};

const config = (url, project) => `model = "fake-model"
model_provider = "fake"

[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
env_key = "FAKE_API_KEY"
wire_api = "responses"
supports_websockets = false

[projects."${project}"]
trust_level = "trusted"
`;
