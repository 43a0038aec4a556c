import { askDaemon } from "../daemon/askDaemon.ts";
import type { DaemonStatus } from "../daemon/control.ts";
import { daemonStatusSchema } from "../daemon/controlSchemas.ts";
import { runFolder } from "../daemon/runFolder.ts";
import { readSeen, type SeenHost } from "../daemon/seenCalls.ts";
import type { Io } from "../terminal/io.ts";
import { type HostReport, hostReports } from "./hostReports.ts";
import { type MissedCall, missedCalls } from "./missedCalls.ts";
import { SEATS } from "./seats.ts";

/** Whether an agent is guarded, as far as it can be seen from outside. */
export interface HostStatus {
  readonly report: HostReport;
  /** Undefined: it never called. */
  readonly seen: SeenHost | undefined;
  /** Calls of the last day that hookline did not answer, the newest last. */
  readonly missed: readonly MissedCall[];
}

export interface Status {
  readonly hosts: readonly HostStatus[];
  /** Undefined: it does not run. */
  readonly daemon: DaemonStatus | undefined;
}

const A_DAY_MS = 86_400_000;

export async function readStatus(io: Io): Promise<Status> {
  const run = runFolder(io.homeDir);
  const daemon = await askDaemon(io.homeDir, { ask: "status" }, daemonStatusSchema);
  const seen = daemon?.hosts ?? readSeen(run.seen);
  const missed = missedCalls(run.missed).filter(({ at }) => Date.now() - at < A_DAY_MS);
  const reports = await hostReports(io, SEATS);
  const hosts = reports.map((report) => {
    const { name } = report.found.seat;
    const of = ({ host }: { readonly host: string }) => host === name;
    return { report, seen: seen.find(of), missed: missed.filter(of) };
  });
  return { hosts, daemon };
}
