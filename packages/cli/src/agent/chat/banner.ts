import { colours } from "../../terminal/colour.ts";
import type { Io } from "../../terminal/io.ts";
import { showFile } from "../../terminal/showPlace.ts";
import { counted } from "../../terminal/table.ts";
import { visible } from "../../terminal/visible.ts";
import type { AgentFlags } from "../agentFlags.ts";
import type { OpenAgent } from "../openAgent.ts";

/** Shows the model, the folder, the hooks and the approval mode. */
export function banner(io: Io, { setup, system }: OpenAgent, { approvalMode }: AgentFlags): string[] {
  const { bold, dim } = colours(io);
  const { totalHooks, enabledHooks } = system.getStatus();
  const off = totalHooks - enabledHooks;
  const folder = setup.config.getWorkingDir();
  const facts = [
    visible(setup.model),
    folder === io.homeDir ? "~" : showFile(folder, { projectRoot: folder, homeDir: io.homeDir }),
    `${counted(enabledHooks, "hook")}${off > 0 ? ` (${off} not running)` : ""}`,
    `approvals: ${approvalMode}`,
  ];
  return [`${bold("hookline")} ${facts.join(dim(" · "))}`, dim("/help lists the commands; Ctrl-D leaves.")];
}

export function farewell(io: Io, id: string): string[] {
  const { dim } = colours(io);
  return [dim(`To continue: hookline chat --resume ${id}`)];
}
