import { HooklineError } from "@hookline/engine";
import { error, type Finding, isTrouble, ok } from "../finding.ts";
import { repairJournal } from "../repair/repairJournal.ts";
import { spaceLeft } from "../spaceLeft.ts";
import type { Visit } from "../visit.ts";
import { chainFindings } from "./chainFindings.ts";
import { inGit } from "./inGit.ts";
import { journalFindings } from "./journalFindings.ts";
import { type Store, storesOf } from "./store.ts";
import { type StoreState, storeFindings } from "./storeFindings.ts";

/** The databases of the project and of the user. */
export async function stores({ io, loaded, now }: Visit): Promise<readonly Finding[]> {
  const { projectRoot, optionsWithoutProject } = loaded;
  const limits = optionsWithoutProject.journal;
  const { journal, tasks, keys } = storesOf(projectRoot, io.homeDir);
  const journalState = repairable(await storeFindings(journal, now), projectRoot, now);
  const keysState = await storeFindings(keys, now);
  const known = { journal: journalState.kind, keys: keysState.kind };
  return [
    ...(limits.enabled ? [] : [ok("hooksConfig.journal.enabled is false: nothing is recorded")]),
    ...journalState.findings,
    ...(isReadable(journalState) ? await orTrouble(journal, () => journalFindings(projectRoot, limits, now)) : []),
    ...(await orTrouble(journal, () =>
      chainFindings({ projectRoot, homeDir: io.homeDir, keysPath: keys.path, known }),
    )),
    ...(await storeFindings(tasks, now)).findings,
    ...keysState.findings,
    ...(await inGit(projectRoot, [journal, tasks], io.signal)),
    ...spaceLeft(projectRoot),
  ];
}

function isReadable({ kind }: StoreState): boolean {
  return kind === "usable" || kind === "readOnly";
}

/** A database can be whole and still make no sense. */
async function orTrouble({ path }: Store, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (cause) {
    if (!(cause instanceof HooklineError)) throw cause;
    return [error({ what: cause.what, file: path, next: cause.next })];
  }
}

/** Of all stores, only the journal can be repaired without losing anything that matters. */
function repairable(state: StoreState, projectRoot: string, now: number): StoreState {
  if (state.kind !== "damaged") return state;
  const fix = () => repairJournal(projectRoot, now);
  const findings = state.findings.map((finding) =>
    isTrouble(finding) && finding.severity === "error" && !finding.fix ? { ...finding, fix } : finding,
  );
  return { ...state, findings };
}
