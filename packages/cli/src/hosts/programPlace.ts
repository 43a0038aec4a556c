import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { sep } from "node:path";
import { ProgramError } from "../errors.ts";
import { packageFile } from "../packageFile.ts";
import type { ClientRow } from "./clients/clientRow.ts";
import { CLIENTS } from "./clients/index.ts";

/** What starts hookline on this machine, and the client that belongs to it. Absolute real paths. */
export interface ProgramPlace {
  readonly node: string;
  readonly script: string;
  readonly client: ClientRow;
  /** Why agents must not be told to start it. */
  readonly fault: ProgramError | undefined;
}

export type ClientKind = ClientRow["kind"];

export function programPlace(homeDir: string, client?: ClientKind): ProgramPlace {
  const script = realpathSync(packageFile("bin/hookline.js"));
  const place = { node: realpathSync(process.execPath), script, client: clientRow(client) };
  return { ...place, fault: placeFault(script, homeDir) };
}

/** A program that may be gone tomorrow: the client could then not start the daemon, and would refuse what guards should check. */
function placeFault(script: string, homeDir: string): ProgramError | undefined {
  const why = whyNotLasting(script, homeDir);
  if (why !== undefined) {
    const what = `The agents would start hookline from ${script}, and that is ${why}.`;
    return refused(what, "Install it with `npm install --global hookline`, then run the command again.");
  }
  if (!/\p{Cc}/u.test(homeDir)) return undefined;
  const what = `The path of your home folder, ${JSON.stringify(homeDir)}, has characters that a command line cannot hold.`;
  return refused(what, "Set HOME to a folder with a plain name.");
}

function refused(what: string, next: string): ProgramError {
  return new ProgramError({ code: "INSTALL_REFUSED", what, next });
}

/** Undefined if the program stays where it is. In a temporary home folder it may be temporary, too: both go together. */
export function whyNotLasting(script: string, homeDir: string, temporary = tmpdir()): string | undefined {
  if (script.split(sep).includes("_npx")) return "the cache of npx, which npm empties";
  const folders = [...new Set(["/tmp", "/var/tmp", temporary])].map(realPath);
  const isTemporary = (path: string) => folders.some((folder) => path.startsWith(folder + sep));
  return isTemporary(script) && !isTemporary(realPath(homeDir)) ? "a temporary folder" : undefined;
}

/** The best one for this machine, if nothing else was asked for. */
function clientRow(kind: ClientKind | undefined): ClientRow {
  const wanted = CLIENTS.filter((row) => kind === undefined || row.kind === kind);
  const found = wanted.find(({ lacks }) => lacks() === undefined);
  if (found !== undefined) return found;
  const what = `There is no ${kind} client for this machine: ${wanted[0]?.lacks()}.`;
  throw refused(
    what,
    "Install the released package, build the repository where a C compiler is, or use `--client node`.",
  );
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
