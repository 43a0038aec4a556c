import { createHash } from "node:crypto";
import { HooklineError } from "@hookline/engine";
import { hasComment, parsedObject } from "../switches/jsonText.ts";
import { clientFiles } from "./clientFiles.ts";
import { bytesOf, type FileText, textOf } from "./fileText.ts";
import { withGroups, withoutGroups } from "./hookEntries.ts";
import { type HostFile, readHostFile } from "./hostFile.ts";
import type { Installed, InstalledHost } from "./installed.ts";
import { type Places, settingsPath } from "./places.ts";
import { refusedFile } from "./refusedFile.ts";
import type { Level, Seat } from "./seat.ts";
import { callsClient, wantedGroups } from "./wantedGroups.ts";

/** What an installation or its undoing would do to one file. */
export interface HostPlan {
  readonly seat: Seat;
  readonly level: Level;
  readonly file: HostFile;
  /** The text as it is and as it would be, for the diff; empty: no file. */
  readonly before: string;
  readonly after: string;
  /** What would be written; null: the file is removed; undefined: nothing changes. */
  readonly bytes: Buffer | null | undefined;
}

export interface InstallPlan extends HostPlan {
  /** The file without the hooks of hookline, for the record; null: there was none. */
  readonly original: Buffer | null;
  readonly version: string | undefined;
}

interface PlanRequest {
  readonly seat: Seat;
  readonly level: Level;
  readonly version: string | undefined;
  readonly trustProject: boolean;
}

export function planInstall(request: PlanRequest, places: Places, installed: Installed): InstallPlan {
  const { seat, level, version, trustProject } = request;
  const file = readFor(seat, level, settingsPath(seat, level, places));
  const { program } = clientFiles(places.homeDir);
  const isOurs = (hook: unknown) => callsClient(hook, program);
  const given = textOf(file.bytes, file.path);
  const start = given.text.trim() === "" ? "{}\n" : given.text;
  assertTaken(seat, file.path, start);
  const options = { file: file.path, isOurs };
  const after = withGroups(start, wantedGroups(seat, { client: program, trustProject, version }), options);
  const bytes = after === given.text ? undefined : bytesOf({ ...given, text: after });
  const known = installed.hosts.find(({ path }) => path === file.path);
  const original = originalOf(file, known, () => withoutGroups(given.text, options), given);
  return { seat, level, file, before: given.text, after, bytes, original, version };
}

/** To the byte if only hookline changed the file since; else without our hooks. */
export function planUninstall(
  seat: Seat,
  entry: Pick<InstalledHost, "level" | "path">,
  homeDir: string,
  installed: Installed,
): HostPlan {
  const file = readFor(seat, entry.level, entry.path);
  const given = textOf(file.bytes, file.path);
  const plan = (bytes: HostPlan["bytes"], after: string) => ({
    seat,
    level: entry.level,
    file,
    before: given.text,
    after,
    bytes,
  });
  if (file.bytes === undefined) return plan(undefined, "");
  const known = installed.hosts.find(({ path }) => path === entry.path);
  const original = known === undefined ? undefined : known.before === null ? null : Buffer.from(known.before, "base64");
  if (known?.afterHash === hashOf(file.bytes) && original !== undefined) {
    return plan(original, original === null ? "" : textOf(original, file.path).text);
  }
  const before = original ? textOf(original, file.path).text : undefined;
  const { program } = clientFiles(homeDir);
  const after = withoutGroups(given.text, { file: file.path, isOurs: (hook) => callsClient(hook, program), before });
  if (after === given.text) return plan(undefined, after);
  return original === null && isHollow(after, file.path)
    ? plan(null, "")
    : plan(bytesOf({ ...given, text: after }), after);
}

/** Throws before the first file is written, if one of them cannot be. */
export function assertWritable(plans: readonly HostPlan[]): void {
  const fault = plans.find(({ file, bytes }) => bytes !== undefined && file.fault !== undefined)?.file.fault;
  if (fault !== undefined) throw fault;
}

export function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function readFor({ files }: Seat, level: Level, path: string): HostFile {
  const place = files[level];
  return readHostFile(path, place.in === "project" ? path.slice(0, -place.path.length) : undefined);
}

/** Of a file that only hookline has changed, what it was before; else the file without our hooks. */
function originalOf(
  file: HostFile,
  known: InstalledHost | undefined,
  without: () => string,
  given: FileText,
): Buffer | null {
  if (file.bytes === undefined) return null;
  if (known !== undefined && known.afterHash === hashOf(file.bytes)) {
    return known.before === null ? null : Buffer.from(known.before, "base64");
  }
  const text = given.text.trim() === "" ? given.text : without();
  return text === given.text ? file.bytes : bytesOf({ ...given, text });
}

function assertTaken(seat: Seat, file: string, text: string): void {
  const what = refusedFile(seat, text, file);
  if (what === undefined) return;
  throw new HooklineError({
    code: "CONFIG_SYNTAX",
    where: { file },
    what,
    next: "Remove that from the file, then run the command again.",
  });
}

/** Nothing is left in a file that was made for hookline. */
function isHollow(text: string, file: string): boolean {
  return !hasComment(text) && (parsedObject(text, file).children ?? []).length === 0;
}
