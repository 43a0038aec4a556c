import { join } from "node:path";
import { readJson, writeJson } from "../files.mjs";

const settingsOf = (home) => join(home, ".gemini/settings.json");

/** @type {import("./index.mjs").Agent} */
export const gemini = {
  name: "gemini",
  title: "Gemini CLI",
  package: "@google/gemini-cli",
  program: (modules) => [process.execPath, join(modules, "@google/gemini-cli/bundle/gemini.js")],
  args: (prompt) => ["-p", prompt, "--approval-mode", "yolo", "--model", "gemini-2.5-flash"],
  env: (url) => ({ GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" }),
  prepare: ({ home }) => writeJson(settingsOf(home), { security: { auth: { selectedType: "gemini-api-key" } } }),
  shell: (command) => ({ name: "run_shell_command", args: { command, description: "Run it" } }),
  write: (path, content) => ({ name: "write_file", args: { file_path: path, content } }),
  async hook({ home, event, command, timeoutMs }) {
    const hook = { type: "command", command, timeout: timeoutMs };
    const settings = await readJson(settingsOf(home));
    await writeJson(settingsOf(home), { ...settings, hooks: { [event]: [{ hooks: [hook] }] } });
  },
};
