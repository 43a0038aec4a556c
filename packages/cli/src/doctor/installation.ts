import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findShell } from "@hookline/engine/process";
import { ADVICE, errorText } from "@hookline/engine/program";
import { threadFile } from "@hookline/journal/program";
import { packageFile } from "../packageFile.ts";
import type { Io } from "../terminal/io.ts";
import { error, type Finding, ok } from "./finding.ts";
import { spaceLeft } from "./spaceLeft.ts";

const NODE = { major: 20, minor: 19 };
const PLATFORMS: readonly string[] = ["linux", "darwin"];
const REINSTALL = "Install hookline again: `npm install hookline`.";

/** Checks that the program is complete and finds what it needs on this machine. */
export async function installation({ env, homeDir }: Pick<Io, "env" | "homeDir">): Promise<readonly Finding[]> {
  return [
    program(),
    nodeVersion(process.versions.node),
    platform(process.platform),
    shell(env.PATH),
    thread(threadFile()),
    await database(),
    home(homeDir),
    ...spaceLeft(homeDir),
  ];
}

function program(): Finding {
  const { version } = JSON.parse(readFileSync(packageFile("package.json"), "utf8"));
  return ok(`hookline ${version}`);
}

export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > NODE.major || (major === NODE.major && minor >= NODE.minor)) return ok(`Node ${version}`);
  const least = `${NODE.major}.${NODE.minor}`;
  return error({ what: `Node ${version} is too old.`, next: `Install Node ${least} or newer.` });
}

export function platform(name: string): Finding {
  if (PLATFORMS.includes(name)) return ok(`platform ${name}`);
  return error({ what: `The platform ${name} is not supported.`, next: ADVICE.PLATFORM_UNSUPPORTED });
}

export function shell(path: string | undefined): Finding {
  const found = findShell(path);
  try {
    accessSync(found, constants.X_OK);
    return ok(`commands run in ${found}`);
  } catch {
    const what = "Neither bash nor sh was found, so most hooks cannot start.";
    return error({ what, next: "Install bash, or add its folder to PATH." });
  }
}

export function thread(file: string): Finding {
  if (existsSync(file)) return ok("the program is complete");
  return error({ what: "The module that writes the journal is missing.", file, next: REINSTALL });
}

/** libsql is native and has an optional package per platform, which may not be installed. */
async function database(): Promise<Finding> {
  try {
    const { default: SqlDatabase } = await import("libsql");
    const db = new SqlDatabase(":memory:");
    db.prepare("SELECT 1").get();
    db.close();
    return ok("the database can be loaded");
  } catch (cause) {
    const what = `The database (libsql) cannot be loaded: ${errorText(cause)}`;
    return error({
      what,
      next: `${REINSTALL} Its binary for this platform is an optional dependency: do not omit optional dependencies.`,
    });
  }
}

function home(homeDir: string): Finding {
  const own = join(homeDir, ".hookline");
  const file = existsSync(own) ? own : homeDir;
  try {
    accessSync(file, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok("the home folder is writable", file);
  } catch (cause) {
    const what = `The home folder is not writable: ${errorText(cause)}`;
    const next = "Make it writable; trust decisions and journal keys are stored there.";
    return error({ what, file, next });
  }
}
