import { realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { HooklineError } from "@hookline/engine";
import type { LoadedSettings } from "@hookline/engine/program";
import { ProgramError } from "../errors.ts";
import { openHooks } from "../project/openHooks.ts";
import { readSettings } from "../project/readSettings.ts";
import { settingsErrorsView } from "../project/settingsErrors.ts";
import type { Io } from "../terminal/io.ts";
import { trustPolicy } from "../trust/trustPolicy.ts";
import { expectSameStarted } from "./sameStarted.ts";

interface HookSetOptions {
  /** Another folder whose hooks to run, as the user typed it. */
  readonly against: string | undefined;
  readonly trustProject: boolean;
  readonly json: boolean;
}

/** Reads the hooks to replay events with, and checks their trust. Starts nothing. */
export async function openHookSet(
  io: Io,
  projectRoot: string,
  { against, ...asked }: HookSetOptions,
): Promise<LoadedSettings> {
  const there = against === undefined ? io : { ...io, cwd: await folderAt(resolve(io.cwd, against)) };
  if (against !== undefined) await expectHooks(there, asked.json);
  const trust = trustPolicy(io, asked);
  const { system, loaded } = await openHooks(there, { trust, unreadSettings: "ignore" }).catch((error: unknown) => {
    throw withFolder(error, against);
  });
  const { untrusted } = system.getStatus();
  await system.dispose();
  if (untrusted.length > 0) {
    const what = "These hooks are not trusted, so nothing was replayed.";
    const where = { file: loaded.projectRoot };
    throw withFolder(new HooklineError({ code: "TRUST_REQUIRED", where, what }), against);
  }
  if (trust !== "all") expectSameStarted(loaded, projectRoot);
  return ownProblems(loaded);
}

/** Replaces the usual advice, which is about the project of the working directory. */
function withFolder(error: unknown, against: string | undefined): unknown {
  if (against === undefined || !(error instanceof HooklineError) || error.code !== "TRUST_REQUIRED") return error;
  const { code, where, what } = error;
  const folder = /^[\w./@+-]+$/.test(against) ? against : JSON.stringify(against);
  const next = `Run \`hookline trust ${folder}\` to look at them and decide, or pass \`--trust-project\` for one run.`;
  return new HooklineError({ code, what, next, ...(where === undefined ? {} : { where }), cause: error });
}

async function folderAt(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) return realpath(path);
  const what = stats ? "This is not a folder." : "There is no such folder.";
  const next = "Correct --against: a folder with the changed hooks, such as another checkout of the project.";
  throw new ProgramError({ code: "FILE_UNUSABLE", where: { file: path }, what, next });
}

/** Refuses a folder without hooks: a mistyped path would look like a project that blocks nothing. */
async function expectHooks(there: Io, json: boolean): Promise<void> {
  const loaded = await readSettings(there);
  const isOwn = loaded.projectRoot === there.cwd;
  if (isOwn && loaded.hooks.some(({ source }) => source === "project")) return;
  if (isOwn && !json) for (const line of settingsErrorsView(ownProblems(loaded), there)) there.stderr(`${line}\n`);
  const what = isOwn
    ? "No hook is declared here."
    : `This is not a separate project, but a part of ${loaded.projectRoot}.`;
  const next = "Name the root of a project with --against: hooks are declared in its .hookline, .gemini or .system.";
  throw new HooklineError({ code: "OPTION_INVALID", where: { file: there.cwd }, what, next });
}

/** Only the project's own hooks are replayed, so only its own problems matter. */
function ownProblems(loaded: LoadedSettings): LoadedSettings {
  return {
    ...loaded,
    problems: loaded.problems.filter(({ where }) => where.file.startsWith(loaded.projectRoot + sep)),
  };
}
