import { readSettings } from "../project/readSettings.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { visible } from "../terminal/visible.ts";

/** Prints words for the completion scripts. Omits names with control characters, which cannot be typed. */
export const complete: Command = {
  name: "__complete",
  summary: "print words for the shell's completion",
  parameters: [{ name: "what", description: "hooks", required: true }],
  options: [],
  examples: [],
  hidden: true,
  async run(io, { args: [what] }) {
    if (what !== "hooks") return ExitCode.failure;
    const names = new Set((await readSettings(io)).hooks.map(({ name }) => name));
    for (const name of names) if (name === visible(name)) io.stdout(`${name}\n`);
    return ExitCode.ok;
  },
};
