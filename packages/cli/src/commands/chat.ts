import { HooklineError } from "@hookline/engine";
import { AGENT_OPTIONS, readAgentFlags } from "../agent/agentFlags.ts";
import { chat as talk } from "../agent/chat/chat.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";

export const chat: Command = {
  name: "chat",
  summary: "talk to the agent in the terminal",
  details:
    "Shows the answer and the decision of each hook as they arrive, and asks for approvals.\nInside: /help lists the commands, Ctrl-C cancels the running work, Ctrl-D leaves.",
  parameters: [],
  options: AGENT_OPTIONS,
  examples: [
    ["hookline chat", "with the Gemini API"],
    ["hookline chat --model openai:llama3.2@http://localhost:11434/v1", "with a model on this machine"],
    ["hookline chat --approval-mode auto-edit", "edits need no approval, commands do"],
  ],
  run: async (io, { options }) => {
    const { terminal } = io;
    if (!terminal || options.json === true) {
      throw new HooklineError({
        code: "OPTION_INVALID",
        what: terminal
          ? "A chat is interactive and does not support --json."
          : "A chat needs a terminal, but standard input or output is not one.",
        next: 'Use `hookline run -p "…"`; `--output stream-json` reports every event to a program.',
      });
    }
    await talk(io, terminal, readAgentFlags(io, options));
    return ExitCode.ok;
  },
};
