import { accessSync, constants, lstatSync, rmSync, type Stats } from "node:fs";
import { basename } from "node:path";
import { errorText } from "@hookline/engine/program";
import { filesOf, leftBehind, linkedFileFault } from "@hookline/journal/program";
import { error, type Finding, ok, warning } from "../finding.ts";
import { ownersOnly } from "../repair/ownersOnly.ts";
import { probeStore } from "./probeStore.ts";
import { folderOf, type Store } from "./store.ts";

export interface StoreState {
  readonly kind: "absent" | "usable" | "readOnly" | "damaged" | "unusable";
  readonly findings: readonly Finding[];
}

/** Checks the files of a store, and whether it is readable and writable. Changes nothing in it. */
export async function storeFindings(store: Store, now: number): Promise<StoreState> {
  const { name, path } = store;
  try {
    const strange = strangeFile(store);
    if (strange) return { kind: "unusable", findings: [strange] };
    const left = filesLeft(path, now);
    if (filesOf(path).every((file) => sizeOf(file) === 0)) {
      return { kind: "absent", findings: [ok("empty", path), ...left] };
    }
    const { kind, findings } = await probeStore(store, { mayWrite: mayWrite(store) });
    // Repairs run in this order, because a store that is moved aside keeps its permissions.
    return { kind, findings: [...left, ...openToOthers(path), ...findings] };
  } catch (cause) {
    const what = `${name} cannot be examined: ${errorText(cause)}`;
    const next = "Take ownership of the file and its folder, or move them away.";
    return { kind: "unusable", findings: [error({ what, file: path, next })] };
  }
}

/** A link leads to files outside the state folder, and opening a pipe would block forever. */
function strangeFile(store: Store): Finding | undefined {
  const folder = folderOf(store);
  if (store.isState && statsOf(folder)?.isSymbolicLink()) {
    const what = `${store.name} is not used: its folder is a symbolic link.`;
    return error({ what, file: folder, next: "Remove the link." });
  }
  for (const file of filesOf(store.path)) {
    const fault = linkedFileFault(file);
    if (fault !== undefined)
      return error({ what: `${store.name} is not used: ${fault}.`, file, next: "Move it away." });
  }
  return undefined;
}

function mayWrite(store: Store): boolean {
  try {
    for (const file of [store.path, folderOf(store)]) accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Other users must not see what hooks saw. */
function openToOthers(path: string): readonly Finding[] {
  const open = filesOf(path).filter((file) => ((statsOf(file)?.mode ?? 0) & 0o077) !== 0);
  const [file] = open;
  if (file === undefined) return [];
  const what = "Other users of this machine can read or change this file.";
  const fix = async () => ownersOnly(open);
  return [warning({ what, file, next: "Run `hookline doctor --fix`, or `chmod 600` it.", fix })];
}

/** Usually the next program that opens the store removes them. */
function filesLeft(path: string, now: number): readonly Finding[] {
  return leftBehind(path, now).map((file) => {
    const fix = async () => {
      rmSync(file, { recursive: true, force: true });
      return `${basename(file)} was removed`;
    };
    const what = `A killed program left its ${file.endsWith(".lock") ? "lock" : "unfinished database"} behind.`;
    return warning({ what, file, next: "Run `hookline doctor --fix`, or remove it.", fix });
  });
}

function sizeOf(file: string): number {
  return statsOf(file)?.size ?? 0;
}

function statsOf(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false });
}
