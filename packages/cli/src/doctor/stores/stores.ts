import { HooklineError } from "@hookline/engine";
import { isDamaged, statePath } from "@hookline/journal/program";
import { counted } from "../../terminal/table.ts";
import type { DoctorContext } from "../doctorContext.ts";
import { error, type Finding, isTrouble, ok } from "../finding.ts";
import { movedProjectFindings } from "../oldState/movedProject.ts";
import { oldStateFindings } from "../oldState/oldStateFindings.ts";
import { repairJournal } from "../repair/repairJournal.ts";
import { replaceStore } from "../repair/replaceStore.ts";
import { salvageKeys } from "../repair/salvage.ts";
import { spaceLeft } from "../spaceLeft.ts";
import { chainFindings } from "./chainFindings.ts";
import { journalFindings } from "./journalFindings.ts";
import { type Store, storesOf } from "./store.ts";
import { type StoreState, storeFindings } from "./storeFindings.ts";

/** The databases of the project and of the user. */
export async function stores({ loaded, place, now }: DoctorContext): Promise<readonly Finding[]> {
  const { journal: limits } = loaded.optionsWithoutProject;
  const { journal, tasks, keys } = storesOf(place);
  const journalFix = () => repairJournal(place, now);
  const keysFix = () => repairKeys(keys.path, now);
  const journalState = repairable(await storeFindings(journal, now), journalFix);
  const keysState = repairable(await storeFindings(keys, now), keysFix);
  const known = { journal: journalState.kind, keys: keysState.kind };
  const records = await orTrouble(journal, journalFix, async () => [
    ...(isReadable(journalState) ? await journalFindings(place, limits, now) : []),
    ...(await chainFindings({ place, keysPath: keys.path, known })),
  ]);
  return [
    ...(limits.enabled ? [] : [ok("hooksConfig.journal.enabled is false: nothing is recorded")]),
    ...journalState.findings,
    ...records,
    ...(await storeFindings(tasks, now)).findings,
    ...keysState.findings,
    ...oldStateFindings(place),
    ...movedProjectFindings(place),
    ...spaceLeft(statePath(place)),
  ];
}

type Fix = () => Promise<string>;

function isReadable({ kind }: StoreState): boolean {
  return kind === "usable" || kind === "readOnly";
}

/** Without the keys no journal can be written. Unreadable keys stay in the file that is moved aside. */
async function repairKeys(path: string, now: number): Promise<string> {
  const { aside, records } = await replaceStore(path, now, salvageKeys);
  return `the journal key store was moved to ${aside}, and ${counted(records, "key")} saved`;
}

/** A database can be intact and still contain invalid data. */
async function orTrouble(
  { path }: Store,
  fix: Fix,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (cause) {
    if (!(cause instanceof HooklineError)) throw cause;
    const file = cause.where?.file ?? path;
    return [error({ what: cause.what, file, next: cause.next, ...(isDamaged(cause) && file === path ? { fix } : {}) })];
  }
}

/** Saves the readable part of a journal or key store. Not of the task store: tasks missing from it could run again. */
function repairable(state: StoreState, fix: Fix): StoreState {
  if (state.kind !== "damaged") return state;
  const findings = state.findings.map((finding) =>
    isTrouble(finding) && finding.severity === "error" && !finding.fix ? { ...finding, fix } : finding,
  );
  return { ...state, findings };
}
