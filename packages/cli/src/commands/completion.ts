import { HooklineError } from "@hookline/engine";
import { nearest } from "@hookline/engine/program";
import { COMPLETIONS, SHELLS } from "../completion/index.ts";
import { completed } from "../completion/words.ts";
import type { Command, Entry } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { visibleJson } from "../terminal/visible.ts";

/** `commands` gives the table that this command is in itself. */
export function completionOf(commands: () => readonly Entry[]): Command {
  return {
    name: "completion",
    summary: "print a script that completes commands, events and hooks in your shell",
    parameters: [
      { name: "shell", description: "bash, zsh or fish", required: true, completes: ["bash", "zsh", "fish"] },
    ],
    options: [],
    examples: [
      ["source <(hookline completion bash)", "in ~/.bashrc"],
      ["hookline completion zsh > ~/.zfunc/_hookline", "a folder in $fpath"],
      ["hookline completion fish > ~/.config/fish/completions/hookline.fish", "for fish"],
    ],
    async run(io, { args: [shell = ""], options }) {
      const make = COMPLETIONS.get(shell);
      if (!make) throw unknownShell(shell);
      const script = make(
        commands()
          .filter(({ hidden }) => !hidden)
          .map(completed),
      );
      io.stdout(options.json ? `${visibleJson({ shell, script })}\n` : script);
      return ExitCode.ok;
    },
  };
}

function unknownShell(shell: string): HooklineError {
  const guess = nearest(shell, SHELLS);
  const what = `There is no completion for "${shell}".${guess === undefined ? "" : ` Did you mean "${guess}"?`}`;
  return new HooklineError({ code: "INPUT_INVALID", what, next: `Choose one of ${SHELLS.join(", ")}.` });
}
