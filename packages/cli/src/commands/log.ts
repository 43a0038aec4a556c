import { setImmediate } from "node:timers/promises";
import { HooklineError } from "@hookline/engine";
import {
  followItems,
  type LogFilter,
  type LogItem,
  openJournalReader,
  type StatePlace,
  verifyJournal,
} from "@hookline/journal";
import { journalName, LOG_DECISIONS, lastId, logItems, newestIds } from "@hookline/journal/program";
import { readSince } from "../journal/since.ts";
import { LogView } from "../journal/views/logView.ts";
import { nothingFound, unknownHook } from "../journal/views/nothingFound.ts";
import { recordJson } from "../journal/views/recordJson.ts";
import { journalPlace, withJournal } from "../journal/views/withJournal.ts";
import { EVENT_NAMES, eventNamed } from "../project/eventNamed.ts";
import { colours } from "../terminal/colour.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { oneOf, textIn } from "../terminal/optionValues.ts";
import { visibleJson, visibleJsonLine } from "../terminal/visible.ts";

const USUAL_LIMIT = 50;
/** The event name of approvals in filters; hooks cannot run on it. */
const APPROVAL = "Approval";

type Options = Readonly<Record<string, unknown>>;
type Show = (items: readonly LogItem[]) => void;

export const log: Command = {
  name: "log",
  summary: "show events, the decisions of hooks, and approvals",
  details:
    "Newest last. With --hook, one line per run of that hook; --decision failed and skipped show the hooks concerned.\n--follow continues until Ctrl-C (exit code 130). With --json, one record per line.",
  parameters: [],
  options: [
    { flags: "--follow", description: "also show new records, until Ctrl-C" },
    {
      flags: "--event <name>",
      description: `only this event, or ${APPROVAL}`,
      completes: () => [...EVENT_NAMES, APPROVAL],
    },
    { flags: "--hook <name>", description: "only this hook, run by run", completes: "hooks" },
    { flags: "--decision <decision>", description: `only ${LOG_DECISIONS.join(", ")}`, completes: LOG_DECISIONS },
    { flags: "--since <when>", description: "10m, 2h, 3d, today, 2025-11-03 or 2025-11-03T09:30" },
    { flags: "--limit <n>", description: `number of newest records; default ${USUAL_LIMIT}` },
    { flags: "--project <path>", description: "the project; default: the current one" },
    { flags: "--verify", description: "check that no record was altered or removed; exit code 1 if one was" },
  ],
  examples: [
    ["hookline log --decision block --since 1d", "what was blocked since yesterday, by which hook and why"],
    ["hookline log --hook check-edit --follow", "one hook at work"],
    ["hookline log --json --limit 100000 > audit.jsonl", "for another program"],
  ],
  async run(io, { options }) {
    if (options.verify) return verify(io, options);
    const filter = readFilter(options);
    const project = textIn(options, "project");
    const limit = readLimit(textIn(options, "limit"));
    const show = options.json ? showJson(io) : showText(io);
    if (options.follow) return follow(io, { filter, limit, project }, show);
    return withJournal(io, project, async (reader) => {
      const ids = reader ? newestIds(reader, filter, { upTo: lastId(reader) }, limit) : [];
      for (const items of reader ? logItems(reader, ids) : []) {
        show(items);
        await setImmediate(); // flush the output before reading more
        if (io.signal.aborted) break;
      }
      if (ids.length === 0 && !options.json && !reader?.damage) {
        io.stdout(`${nothingFound(reader, filter.hook)}\n`);
      }
      return ExitCode.ok;
    });
  },
};

interface Followed {
  readonly filter: LogFilter;
  readonly limit: number;
  readonly project: string | undefined;
}

async function follow(io: Io, { filter, limit, project }: Followed, show: Show): Promise<number> {
  const place = await journalPlace(io, project);
  await tellUnknownHook(io, place, filter.hook);
  for await (const items of followItems(place, { filter, limit, signal: io.signal })) show(items);
  return ExitCode.ok;
}

/** Only a notice: the hook may be about to run for the first time. */
async function tellUnknownHook(io: Io, place: StatePlace, hook: string | undefined): Promise<void> {
  const reader = hook === undefined ? undefined : await openJournalReader(place);
  if (!reader) return;
  try {
    const said = unknownHook(reader, hook);
    if (said !== undefined) io.stderr(`${colours(io).yellow(`! ${said}`)}\n`);
  } finally {
    reader.close();
  }
}

/** Verifies all records, because a filtered check would prove nothing. */
async function verify(io: Io, { verify: _, json, project, ...others }: Options): Promise<number> {
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new HooklineError({
      code: "OPTION_INVALID",
      what: `--verify checks all records once: omit --${other}.`,
    });
  }
  const place = await journalPlace(io, textIn({ project }, "project"));
  const { canTell, verifyView } = await import("../journal/views/verifyView.ts");
  const verification = await verifyJournal(place);
  io.stdout(`${json ? visibleJson(verification) : verifyView(verification, io).join("\n")}\n`);
  return verification.findings.length === 0 && canTell(verification) ? ExitCode.ok : ExitCode.failure;
}

function showText(io: Io): Show {
  const view = new LogView(io);
  return (items) => io.stdout(view.lines(items).reduce((text, line) => `${text}${line}\n`, ""));
}

function showJson(io: Io): Show {
  return (items) => {
    for (const { record, hooks } of items) io.stdout(`${visibleJsonLine(recordJson(record, hooks))}\n`);
  };
}

function readFilter(options: Options): LogFilter {
  const [event, hook] = [textIn(options, "event"), textIn(options, "hook")];
  const [decision, since] = [textIn(options, "decision"), textIn(options, "since")];
  return {
    ...(event === undefined ? {} : { event: event === APPROVAL ? event : eventNamed(event).name }),
    ...(hook === undefined ? {} : { hook: journalName(hook) }),
    ...(decision === undefined ? {} : { decision: oneOf(decision, LOG_DECISIONS, "--decision") }),
    ...(since === undefined ? {} : { since: readSince(since, Date.now()) }),
  };
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return USUAL_LIMIT;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw new HooklineError({
    code: "OPTION_INVALID",
    what: `--limit must be a positive integer, got ${JSON.stringify(text)}.`,
  });
}
