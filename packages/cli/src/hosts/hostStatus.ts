import type { LoadedSettings, Problem } from "@hookline/engine/program";
import { askDaemon } from "../daemon/askDaemon.ts";
import type { DaemonStatus } from "../daemon/control.ts";
import { daemonStatusSchema } from "../daemon/controlSchemas.ts";
import { type MissedCall, missedCalls } from "../daemon/missedCalls.ts";
import { runFolder } from "../daemon/runFolder.ts";
import { readSeen, type SeenHost } from "../daemon/seenCalls.ts";
import { mayStartWithout } from "../daemon/unreadFiles.ts";
import { readSettings } from "../project/readSettings.ts";
import type { Io } from "../terminal/io.ts";
import { type DeclaredHooks, declaredHooks } from "./declaredHooks.ts";
import { type HostReport, hostReports } from "./hostReports.ts";
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
  readonly hooks: DeclaredHooks;
  /** Settings that cannot be read: every call that a guard could block is denied. */
  readonly unread: readonly Problem[];
  /** Undefined: it does not answer. */
  readonly daemon: DaemonStatus | undefined;
}

const A_DAY_MS = 86_400_000;

export async function readStatus(io: Io): Promise<Status> {
  const run = runFolder(io.homeDir);
  const loaded = await readSettings(io);
  const daemon = await askDaemon(io.homeDir, { ask: "status" }, daemonStatusSchema);
  const seen = daemon?.hosts ?? readSeen(run.seen);
  const missed = missedCalls(run.missed).filter(({ at }) => Date.now() - at < A_DAY_MS);
  const reports = await hostReports(io, SEATS, loaded);
  const hosts = reports.map((report) => {
    const { name } = report.found.seat;
    const of = ({ host }: { readonly host: string }) => host === name;
    return { report, seen: seen.find(of), missed: missed.filter(of) };
  });
  return { hosts, hooks: declaredHooks(loaded, io), unread: denyingProblems(loaded, io), daemon };
}

/** Problems for which the daemon denies calls: files of a project that was never trusted switch no guard off. */
export function denyingProblems({ unread, projectRoot: root }: LoadedSettings, { homeDir }: Io): readonly Problem[] {
  return mayStartWithout({ unread, root, homeDir }) ? [] : unread;
}
