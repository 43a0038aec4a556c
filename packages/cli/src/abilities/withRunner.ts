import type { Approve } from "@hookline/engine";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import { FireRecords } from "../fire/fireEvent.ts";
import { openProject } from "../project/openProject.ts";
import { unreadPolicy } from "../project/unreadPolicy.ts";
import { approvalView } from "../terminal/approvalView.ts";
import { colours } from "../terminal/colour.ts";
import { Interrupted } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { noticeTo } from "../terminal/notice.ts";
import { counted } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { trustPolicy } from "../trust/trustPolicy.ts";
import { readCaller, readEnvironment } from "./runnerFlags.ts";
import { type OpenRunner, runnerOf } from "./runnerOf.ts";

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
  const { dim } = colours(io);
  const onNotice = noticeTo(io);
  const starts = DECLARATION_KINDS;
  const project = await openProject(io, { trust, unreadSettings, starts, recorders: [records], onNotice });
  try {
    const approve = io.interactive && !json ? approveAt(io) : undefined;
    const { signal } = io;
    const code = await work(runnerOf(project, io, { caller, environment, approve, signal, onNotice }));
    if (records.running > 0 && io.stderrIsTTY) {
      io.stderr(dim(`waiting for ${counted(records.running, "background hook")}; Ctrl-C goes on without\n`));
    }
    return code;
  } catch (error) {
    if (io.signal.aborted) throw new Interrupted();
    throw error;
  } finally {
    await project.close();
  }
}

/** Puts what hooks ask to the person at the terminal. */
function approveAt(io: Io): Approve {
  return (request) => {
    io.stdout(`${approvalView(request, io, { isWhole: true }).lines.join("\n")}\n`);
    return io.confirm(`Run ${visible(request.toolName)}?`);
  };
}
