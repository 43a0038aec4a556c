import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StatePlace } from "@hookline/journal";
import {
  makeOwnFolder,
  projectsPath,
  readRootRecord,
  recordRoot,
  rootIdentity,
  statePath,
} from "@hookline/journal/program";
import { type Finding, warning } from "../finding.ts";

/** Offers a moved project the state of its old path; without that it starts anew. */
export function movedProjectFindings(place: StatePlace): readonly Finding[] {
  const old = oldFolder(place);
  if (!old) return [];
  const { folder, root } = old;
  const what = `This project was at ${root} before and has state there.`;
  const next = "`hookline doctor --fix` moves it here.";
  return [warning({ what, file: folder, next, fix: async () => adopt(folder, place) })];
}

/** The same folder by inode and birth time, recorded for a path that no longer exists. */
function oldFolder(place: StatePlace): { readonly folder: string; readonly root: string } | undefined {
  const own = statePath(place);
  if (existsSync(join(own, "journal.db")) || existsSync(join(own, "tasks.db"))) return undefined;
  const identity = rootIdentity(place.projectRoot);
  for (const name of namesIn(projectsPath(place))) {
    const folder = join(projectsPath(place), name);
    const record = folder === own ? undefined : readRootRecord(folder);
    if (record?.identity === identity && !existsSync(record.root)) return { folder, root: record.root };
  }
  return undefined;
}

function adopt(folder: string, place: StatePlace): string {
  const own = statePath(place);
  if (existsSync(own)) renameSync(own, `${own}.${Date.now()}`);
  renameSync(makeOwnFolder(folder), own);
  rmSync(join(own, "project.json"), { force: true });
  recordRoot(own, place.projectRoot);
  return `the state in ${folder} now belongs to this project`;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
