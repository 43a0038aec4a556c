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
  summary: "show one turn as a waterfall of events, hooks, tools and model calls",
  details:
    "Without an id, the last turn of the session that was heard of last. What happened outside of turns (fire, task) is turn 0 of its session.",
  parameters: [
    { name: "id", description: "an event or a session, by 4 characters of its id or more, or session:turn" },
  ],
  options: [
    { flags: "--last", description: "the last turn, as without an id" },
    { flags: "--session <id>", description: "the last turn of this session" },
    { flags: "--turn <n>", description: "not the last turn, but this one" },
  ],
  examples: [
    ["hookline trace", "what has just happened"],
    ["hookline trace 3f2a91c4", "the turn of an event, by the id that `hookline log` shows"],
    ["hookline trace --session 7d1e --turn 2 --json", "for a program"],
  ],
  async run(io, { args: [id], options }) {
    const [session, turn] = [textIn(options, "session"), readTurnNumber(textIn(options, "turn"))];
    if (id !== undefined && (session !== undefined || options.last)) {
      throw new HooklineError({ code: "OPTION_INVALID", what: "An id says it all: leave out --last and --session." });
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
      return ExitCode.fine;
    });
  },
};

function readTurnNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new HooklineError({ code: "OPTION_INVALID", what: `--turn ${JSON.stringify(text)} is no number of a turn.` });
}
