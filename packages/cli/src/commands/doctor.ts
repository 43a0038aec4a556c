import { assertMayDecide } from "../decisions/decide.ts";
import { readSettings } from "../project/readSettings.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { visibleJson } from "../terminal/visible.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "find problems with hooks, trust and stores, and repair them",
  details:
    "Runs no code of the project and needs no trust. Exit code: 0 if there are no problems, 1 if there are errors or warnings.\n--fix repairs what it can without losing anything, and reports each repair.",
  parameters: [],
  options: [{ flags: "--fix", description: "repair problems where possible" }],
  examples: [
    ["hookline doctor", "why does my hook not run?"],
    ["hookline doctor --fix", "move a damaged journal aside and save its records, close files to others"],
    ["hookline doctor --json | jq '.hooks[] | select(.last == null)'", "hooks that never ran"],
  ],
  async run(io, { options }) {
    const [{ examine, troublesIn }, { repairAll }, { doctorJson, doctorView }] = await Promise.all([
      import("../doctor/examine.ts"),
      import("../doctor/repair/repairAll.ts"),
      import("../doctor/doctorView.ts"),
    ]);
    if (options.fix) await assertMayDecide(io, await readSettings(io), { command: "hookline doctor --fix", about: {} });
    const before = await examine(io);
    const repairs = options.fix ? await repairAll(troublesIn(before), io) : [];
    const found = repairs.some(({ isDone }) => isDone) ? await examine(io) : before;
    const lines = options.json ? [visibleJson(doctorJson(found, repairs))] : doctorView(found, repairs, io);
    io.stdout(`${lines.join("\n")}\n`);
    return troublesIn(found).length === 0 ? ExitCode.ok : ExitCode.failure;
  },
};
