import type { Approve } from "@hookline/engine";
import { countUnmatched, Journal, startJournal } from "@hookline/journal";
import { FireRecords } from "../fire/fireEvent.ts";
import { together } from "../project/recorders.ts";
import { unreadPolicy } from "../project/unreadPolicy.ts";
import { upgradeNotices } from "../state/upgradeNotices.ts";
import { approvalView } from "../terminal/approvalView.ts";
import { colours } from "../terminal/colour.ts";
import { Interrupted } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { noticeTo } from "../terminal/notice.ts";
import { counted } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { trustPolicy } from "../trust/trustPolicy.ts";
import { type OpenRunner, openToolRunner } from "./openToolRunner.ts";
import { readCaller, readEnvironment } from "./runnerFlags.ts";

type Options = Readonly<Record<string, unknown>>;

/** Opens the runner for one command. What the command prints is out before anybody waits for hooks that do not block. */
export async function withRunner(
  io: Io,
  options: Options,
  work: (open: OpenRunner) => Promise<number>,
): Promise<number> {
  const json = options.json === true;
  const trust = trustPolicy(io, { trustProject: options.trustProject === true, json });
  const unreadSettings = unreadPolicy(io, { ignoreBrokenSettings: options.ignoreBrokenSettings === true, json });
  const caller = readCaller(io, options);
  const environment = readEnvironment(io, options, caller);
  const records = new FireRecords();
  const journal = new Journal();
  const { dim } = colours(io);
  const onNotice = noticeTo(io);
  const open = await openToolRunner({
    workingDir: io.cwd,
    homeDir: io.homeDir,
    ...(io.stateDir === undefined ? {} : { stateDir: io.stateDir }),
    caller,
    env: io.env,
    signal: io.signal,
    unreadSettings,
    recorder: together(records, journal),
    onNotice,
    ...(io.interactive && !json ? { approve: approveAt(io) } : {}),
    ...(environment ? { environment } : {}),
    ...(io.systemFile === undefined ? {} : { systemFile: io.systemFile }),
    ...(trust === undefined ? {} : { trust }),
  });
  startJournal(journal, io, { ...open, onNotice });
  upgradeNotices(io, open.loaded).forEach(onNotice);
  try {
    const code = await work(open);
    if (records.running > 0 && io.stderrIsTTY) {
      io.stderr(dim(`waiting for ${counted(records.running, "background hook")}; Ctrl-C goes on without\n`));
    }
    return code;
  } catch (error) {
    if (io.signal.aborted) throw new Interrupted();
    throw error;
  } finally {
    countUnmatched(journal, open.system);
    await open.close(io.signal);
    await journal.close(io.signal);
  }
}

/** Puts what hooks ask to the person at the terminal. */
function approveAt(io: Io): Approve {
  return (request) => {
    io.stdout(`${approvalView(request, io, { isWhole: true }).lines.join("\n")}\n`);
    return io.confirm(`Run ${visible(request.toolName)}?`);
  };
}
