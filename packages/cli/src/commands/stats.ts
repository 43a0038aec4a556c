import { dayOf, eventStats, hookStats, type JournalReader, lastOutcomes } from "@hookline/journal";
import { dayStart, journalName, lastByHook } from "@hookline/journal/program";
import { readSince } from "../journal/since.ts";
import { nothingFound } from "../journal/views/nothingFound.ts";
import { type Stats, statsJson, statsView } from "../journal/views/statsView.ts";
import { withJournal } from "../journal/views/withJournal.ts";
import { colours } from "../terminal/colour.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { textIn } from "../terminal/optionValues.ts";
import { visibleJson } from "../terminal/visible.ts";

export const stats: Command = {
  name: "stats",
  summary: "show for each hook how often it ran, how long it took, and its outcomes",
  details: "Counts by UTC days: --since includes its whole day. Percentiles are at most a tenth too high.",
  parameters: [],
  options: [
    { flags: "--since <when>", description: "10m, 2h, 3d, today, 2025-11-03 or 2025-11-03T09:30" },
    { flags: "--hook <name>", description: "only this hook", completes: "hooks" },
  ],
  examples: [
    ["hookline stats", "all recorded runs"],
    ["hookline stats --since 7d --json | jq '.hooks[] | select(.p95Ms > 100)'", "which hooks are slow"],
  ],
  async run(io, { options }) {
    const [given, wanted] = [textIn(options, "since"), textIn(options, "hook")];
    const hook = wanted === undefined ? undefined : journalName(wanted);
    const now = Date.now();
    const since = given === undefined ? undefined : readSince(given, now);
    const fromDay = since === undefined ? 0 : dayOf(since);
    return withJournal(io, undefined, (reader) => {
      const found = reader ? read(reader, fromDay, hook) : { hooks: [], events: [] };
      const from = since === undefined ? null : new Date(dayStart(fromDay)).toISOString();
      if (options.json) io.stdout(`${visibleJson({ from, ...statsJson(found) })}\n`);
      else {
        const note =
          since === undefined || since === dayStart(fromDay) || from === null
            ? []
            : ["", colours(io).dim(`Counted by whole UTC days: from ${from.slice(0, 16)}Z.`)];
        const nothing = found.hooks.length + found.events.length === 0 && !reader?.damage;
        const lines = nothing ? [nothingFound(reader, hook)] : [...statsView(found, io, now), ...note];
        io.stdout(`${lines.join("\n")}\n`);
      }
      return ExitCode.ok;
    });
  },
};

function read(reader: JournalReader, fromDay: number, hook: string | undefined): Stats {
  const lastOf = lastByHook(lastOutcomes(reader));
  const found = hookStats(reader, { fromDay, ...(hook === undefined ? {} : { hook }) });
  return {
    hooks: found.map((one) => ({ ...one, last: lastOf({ name: one.hook, source: one.source }) })),
    // Events belong to no single hook, so omit them.
    events: hook === undefined ? eventStats(reader, fromDay) : [],
  };
}
