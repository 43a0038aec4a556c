import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { HooklineError } from "@hookline/engine";
import { findInPath } from "@hookline/engine/process";
import { type KindSpec, type Lookup, resolveWords, type Target } from "@hookline/engine/program";
import type { z } from "zod";
import { ProgramError } from "../../errors.ts";
import type { HTTP_FIELDS, STDIO_FIELDS } from "./serverFields.ts";

type Stdio = z.infer<typeof STDIO_FIELDS>;
type Http = z.infer<typeof HTTP_FIELDS>;

/** An error in a field of a server. */
export class ServerFault extends ProgramError {
  readonly field: string;

  constructor(field: string, what: string, next: string) {
    super({ code: "MCP_SERVER_INVALID", what, next });
    this.field = field;
  }
}

/** The target of a server. Its arguments are literal: no shell interprets them. Throws a `HooklineError` if it cannot be found. */
export function stdioTarget({ command, args = [], cwd }: Stdio, lookup: Lookup): Target {
  const folder = cwd === undefined ? undefined : findFolder(cwd, lookup);
  // If a working directory is set, look there first.
  const dirs = folder === undefined ? lookup.dirs : [folder, ...lookup.dirs];
  if (/\s/.test(command) && !isFile(command, dirs)) throw commandLine(command);
  const { words, files, uncovered } = resolveWords([command, ...args], { ...lookup, dirs });
  const [program = command, ...rest] = words;
  const found = program.includes("/") ? program : findInPath(program, lookup.path);
  if (found === null) {
    throw new ServerFault("command", `"${program}" is not in PATH.`, `Install ${program}, or write its full path.`);
  }
  return {
    fields: { command: program, args: rest, ...(folder === undefined ? {} : { cwd: folder }), argv: [found, ...rest] },
    identity: JSON.stringify([words, folder ?? null]),
    files,
    uncovered,
  };
}

/** Checks an address by the rules for http hooks. */
export function httpTarget({ url, headers }: Http, lookup: Lookup, kinds: readonly KindSpec[]): Target {
  const kind = kinds.find(({ type }) => type === "http");
  if (!kind) throw new ServerFault("url", "Servers cannot be called by HTTP here.", 'Write "command".');
  const bare = kind.resolve({ url }, lookup);
  if (headers === undefined) return bare;
  try {
    return kind.resolve({ url, headers }, lookup);
  } catch (error) {
    throw error instanceof HooklineError ? new ServerFault("headers", error.what, error.next) : error;
  }
}

function findFolder(path: string, { dirs }: Lookup): string {
  const places = isAbsolute(path) ? [path] : dirs.map((dir) => resolve(dir, path));
  const folder = places.find((place) => statOf(place)?.isDirectory());
  if (folder !== undefined) return folder;
  throw new ServerFault("cwd", `There is no folder ${places.join(" or ")}.`, 'Correct "cwd", or remove it.');
}

function isFile(path: string, dirs: readonly string[]): boolean {
  return dirs.some((dir) => statOf(resolve(dir, path))?.isFile());
}

const statOf = (path: string) => statSync(path, { throwIfNoEntry: false });

function commandLine(command: string): HooklineError {
  const [program, ...args] = command.trim().split(/\s+/);
  const next = `Write "command": ${JSON.stringify(program)} and "args": ${JSON.stringify(args)}.`;
  return new ServerFault(
    "command",
    `"command" must be a program without arguments; there is no program ${JSON.stringify(command)}.`,
    next,
  );
}
