import { HooklineError } from "@hookline/engine";
import { findTurn, readTurn } from "@hookline/journal";
import { JournalError } from "@hookline/journal/program";
import { traceJson, traceView } from "../journal/views/traceView.ts";
import { withJournal } from "../journal/views/withJournal.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { textIn } from "../terminal/optionValues.ts";
import { visibleJson } from "../terminal/visible.ts";

export const trace: Command = {
  name: "trace",
  summary: "show a turn as a waterfall of events, hooks, tools and model calls",
  details:
    "The default is the last turn of the latest session. Events outside of turns (fire, task) are turn 0 of their session.",
  parameters: [
    { name: "id", description: "an event or a session, by at least 4 characters of its id, or session:turn" },
  ],
  options: [
    { flags: "--last", description: "the last turn, like without an id" },
    { flags: "--session <id>", description: "the last turn of this session" },
    { flags: "--turn <n>", description: "this turn instead of the last one" },
  ],
  examples: [
    ["hookline trace", "the latest turn"],
    ["hookline trace 3f2a91c4", "the turn of an event, by the id that `hookline log` shows"],
    ["hookline trace --session 7d1e --turn 2 --json", "for a program"],
  ],
  async run(io, { args: [id], options }) {
    const [session, turn] = [textIn(options, "session"), readTurnNumber(textIn(options, "turn"))];
    if (id !== undefined && (session !== undefined || options.last)) {
      throw new HooklineError({ code: "OPTION_INVALID", what: "An id excludes --last and --session: omit them." });
    }
    const wanted = {
      ...(id === undefined ? {} : { id }),
      ...(session === undefined ? {} : { session }),
      ...(turn === undefined ? {} : { turn }),
    };
    return withJournal(io, undefined, (reader) => {
      if (!reader) throw new JournalError({ code: "RECORD_UNKNOWN", what: "Nothing is recorded here yet." });
      const found = readTurn(reader, findTurn(reader, wanted));
      const lines = options.json ? [visibleJson(traceJson(found))] : traceView(found, io);
      io.stdout(`${lines.join("\n")}\n`);
      return ExitCode.ok;
    });
  },
};

function readTurnNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new HooklineError({
    code: "OPTION_INVALID",
    what: `--turn must be 0 or a positive integer, got ${JSON.stringify(text)}.`,
  });
}
