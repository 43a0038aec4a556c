import { HooklineError } from "@hookline/engine";
import { JournalError } from "@hookline/journal/program";
import { readSince } from "../journal/since.ts";
import { withJournal } from "../journal/views/withJournal.ts";
import { EVENT_NAMES, eventNamed } from "../project/eventNamed.ts";
import { settingsErrorsView } from "../project/settingsErrors.ts";
import type { ReplayReport } from "../replay/index.ts";
import { BoundedNotices } from "../sandbox/boundedNotices.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { noticeTo } from "../terminal/notice.ts";
import { textIn } from "../terminal/optionValues.ts";
import { visibleJson } from "../terminal/visible.ts";

const USUAL_LIMIT = 1_000;

export const replay: Command = {
  name: "replay",
  summary: "run recorded events through changed hooks, and show which decisions differ",
  details:
    "Runs the project's current hooks, or those of another folder, in a copy that is removed afterwards. Skips hooks with `replay: skip`.\nExit code: 0 every decision is the same, 1 a decision differs, a hook fails that did not fail before, or no event could be compared.",
  parameters: [],
  options: [
    {
      flags: "--against <folder>",
      description: "the hooks of this folder, such as another checkout",
      completes: "folders",
    },
    { flags: "--since <when>", description: "10m, 2h, 3d, today, 2025-11-03 or 2025-11-03T09:30" },
    { flags: "--event <name>", description: "only this event", completes: () => EVENT_NAMES },
    { flags: "--session <id>", description: "only this session, by at least 4 characters of its id" },
    { flags: "--limit <n>", description: `number of newest events; default ${USUAL_LIMIT}` },
    { flags: "--trust-project", description: "trust the replayed hooks in their current state, for this run" },
  ],
  examples: [
    ["hookline replay --since 7d", "would the current hooks have decided differently last week?"],
    ["hookline replay --against ../project-next --event BeforeTool", "the hooks of another checkout"],
    ["hookline replay --trust-project --json", "from a program"],
  ],
  async run(io, { options }) {
    const [event, since, session] = [textIn(options, "event"), textIn(options, "since"), textIn(options, "session")];
    const filter = {
      ...(event === undefined ? {} : { event: eventNamed(event).name }),
      ...(since === undefined ? {} : { since: readSince(since, Date.now()) }),
      ...(session === undefined ? {} : { session }),
      limit: readLimit(textIn(options, "limit")),
    };
    const json = options.json === true;
    const request = { filter, against: textIn(options, "against"), trustProject: options.trustProject === true, json };
    return withJournal(io, undefined, async (reader) => {
      if (!reader) {
        const next =
          "Events are recorded by `hookline run`, `chat`, `task`, `ability` and `fire`, once a hook matches them.";
        throw new JournalError({ code: "RECORD_UNKNOWN", what: "Nothing is recorded here yet.", next });
      }
      const { replayRecorded, replayView, replayJson } = await import("../replay/index.ts");
      const report = await replayRecorded(io, reader, request);
      if (!report) return ExitCode.failure;
      if (json) io.stdout(`${visibleJson(replayJson(report))}\n`);
      else {
        const told = new BoundedNotices(noticeTo(io));
        for (const notice of report.notices) told.add(notice);
        told.end();
        for (const line of settingsErrorsView(report.hookSet, io)) io.stderr(`${line}\n`);
        io.stdout(`${replayView(report, io).join("\n")}\n`);
      }
      return isProven(report) ? ExitCode.ok : ExitCode.failure;
    });
  },
};

/** False if no event was compared or a hook failed: the decisions are then unknown. */
function isProven({ same, differences, incomparable }: ReplayReport): boolean {
  return same > 0 && differences.length === 0 && !incomparable.some(({ hasFailed }) => hasFailed);
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return USUAL_LIMIT;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new HooklineError({
    code: "OPTION_INVALID",
    what: `--limit must be a positive integer, got ${JSON.stringify(text)}.`,
  });
}
