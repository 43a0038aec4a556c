import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { ProcessGroups, runProcess } from "@hookline/engine/process";
import { findHelper, helperPath } from "../git/helperProgram.ts";
import { hostFolder, type Places } from "./places.ts";
import type { Seat } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";
import { isTested, versionIn } from "./versions.ts";

const VERSION_MS = 10_000;
const MOST_BYTES = 64 * 1024;
/** From the program up to the package that brought it. */
const MOST_LEVELS = 5;

/** What this machine has of one host. */
export interface FoundHost {
  readonly seat: Seat;
  /** The absolute path of its program. */
  readonly program: string | undefined;
  readonly version: string | undefined;
  readonly hasFolder: boolean;
}

export function isFound({ program, hasFolder }: FoundHost): boolean {
  return program !== undefined || hasFolder;
}

/** A version that the tables were not tested with. */
export function isUntested({ seat, version }: Pick<FoundHost, "seat" | "version">): boolean {
  return version !== undefined && !isTested(version, dialectOf(seat).tested);
}

export async function findHost(seat: Seat, places: Places, signal: AbortSignal): Promise<FoundHost> {
  const program = findHelper(dialectOf(seat).agent.program, places.projectRoot, places.env.PATH);
  const version = program === undefined ? undefined : await versionOf(program, { seat, places, signal });
  return { seat, program, version, hasFolder: existsSync(hostFolder(seat.found, places)) };
}

interface Look {
  readonly seat: Seat;
  readonly places: Places;
  readonly signal: AbortSignal;
}

/** From its package or its path, if possible: to start the program takes seconds. */
async function versionOf(program: string, look: Look): Promise<string | undefined> {
  const real = realpathSync(program);
  const { packageName } = dialectOf(look.seat).agent;
  return packageVersion(dirname(real), packageName) ?? versionIn(real) ?? (await askedVersion(program, look));
}

function packageVersion(folder: string, packageName: string, levels = MOST_LEVELS): string | undefined {
  if (levels === 0) return undefined;
  const manifest = readManifest(join(folder, "package.json"));
  if (manifest?.name === packageName && typeof manifest.version === "string") return versionIn(manifest.version);
  return packageVersion(dirname(folder), packageName, levels - 1);
}

function readManifest(file: string): { readonly name?: unknown; readonly version?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

async function askedVersion(program: string, { places, signal }: Look): Promise<string | undefined> {
  const { homeDir, projectRoot, env } = places;
  const ending = await runProcess(
    {
      argv: [program, "--version"],
      cwd: homeDir,
      env: { HOME: homeDir, PATH: helperPath(projectRoot, env.PATH) },
      stdin: "",
      timeoutMs: VERSION_MS,
      killGraceMs: 0,
      outputLimitBytes: MOST_BYTES,
      reportLeftBehind: false,
      signal,
    },
    new ProcessGroups(),
  );
  return ending.kind === "exited" ? versionIn(ending.stdout) : undefined;
}
