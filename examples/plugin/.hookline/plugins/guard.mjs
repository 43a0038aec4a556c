const KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b/;
const failures = new Map();

export default {
  /** Nothing that looks like a key is written into a file. */
  BeforeTool({ tool_input }) {
    const text = `${tool_input.content ?? ""}${tool_input.new_string ?? ""}`;
    if (KEY.test(text)) return { decision: "deny", reason: `${tool_input.file_path} would get a private key.` };
  },

  /** Who fails three times in a row is told to stop and think. */
  AfterTool({ tool_name, tool_response }) {
    const count = tool_response.error ? (failures.get(tool_name) ?? 0) + 1 : 0;
    failures.set(tool_name, count);
    if (count < 3) return;
    const additionalContext = `${tool_name} has failed ${count} times in a row. Read its errors again before you go on.`;
    return { hookSpecificOutput: { additionalContext } };
  },
};
