import { assertMayDecide } from "../decisions/decide.ts";
import { readSettings } from "../project/readSettings.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { visibleJson } from "../terminal/visible.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "say what is wrong with hooks, trust and stores, and how to repair it",
  details:
    "Nothing of the project is run, and no trust is needed. Exit code: 0 if nothing is wrong, 1 if there are errors or warnings.\n--fix repairs what can be repaired without losing anything, and says what it did.",
  parameters: [],
  options: [{ flags: "--fix", description: "repair what can be repaired" }],
  examples: [
    ["hookline doctor", "why does my hook not run?"],
    ["hookline doctor --fix", "put a damaged journal aside and save what is in it, close files to others"],
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
    return troublesIn(found).length === 0 ? ExitCode.fine : ExitCode.failure;
  },
};
