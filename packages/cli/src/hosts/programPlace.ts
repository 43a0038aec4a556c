import { existsSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { sep } from "node:path";
import { ProgramError } from "../errors.ts";
import { packageFile } from "../packageFile.ts";

/** What starts hookline on this machine, and the client that belongs to it. Absolute real paths. */
export interface ProgramPlace {
  readonly node: string;
  readonly script: string;
  /** The native client for this machine. */
  readonly client: string;
}

/** Throws if this program may be gone tomorrow: the client could then not start the daemon, and would refuse what guards should check. */
export function programPlace(homeDir: string): ProgramPlace {
  const script = realpathSync(packageFile("bin/hookline.js"));
  const why = whyNotLasting(script, homeDir);
  if (why !== undefined) {
    const what = `The agents would start hookline from ${script}, and that is ${why}.`;
    throw new ProgramError({
      code: "INSTALL_REFUSED",
      what,
      next: "Install it with `npm install --global hookline`, then run `hookline install`.",
    });
  }
  if (/\p{Cc}/u.test(homeDir)) {
    const what = `The path of your home folder, ${JSON.stringify(homeDir)}, has characters that a command line cannot hold.`;
    throw new ProgramError({ code: "INSTALL_REFUSED", what, next: "Set HOME to a folder with a plain name." });
  }
  return { node: realpathSync(process.execPath), script, client: nativeClient() };
}

/** Undefined if the program stays where it is. In a temporary home folder it may be temporary, too: both go together. */
export function whyNotLasting(script: string, homeDir: string, temporary = tmpdir()): string | undefined {
  if (script.split(sep).includes("_npx")) return "the cache of npx, which npm empties";
  const folders = [...new Set(["/tmp", "/var/tmp", temporary])].map(realPath);
  const isTemporary = (path: string) => folders.some((folder) => path.startsWith(folder + sep));
  return isTemporary(script) && !isTemporary(realPath(homeDir)) ? "a temporary folder" : undefined;
}

function nativeClient(): string {
  const file = packageFile(`native/hookline-hook-${process.platform}-${process.arch}`);
  if (existsSync(file)) return file;
  const what = `This copy of hookline has no client for ${process.platform}-${process.arch}, which the agents would call.`;
  const next = "Install the released package, or run `npm run build` in the repository on a machine with a C compiler.";
  throw new ProgramError({ code: "INSTALL_REFUSED", what, next });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
