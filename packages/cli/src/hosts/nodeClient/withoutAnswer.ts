import { join } from "node:path";
import { DIALECTS, type HostAnswer, ownNo } from "@hookline/engine/program";
import { appendOwnFile, readOwnFile } from "@hookline/journal/program";
import { readClosed } from "../../project/closedFile.ts";
import { clientFiles } from "../clientFiles.ts";
import type { ClientCall } from "./clientCall.ts";

const MOST_CLOSED_BYTES = 16 * 1024 * 1024;
const NOTHING: HostAnswer = { exitCode: 0, stdout: "", stderr: "" };

/**
 * The host's own "no" where a guard would have been asked, or where a person was being asked; else nothing. Leaves a line for the journal.
 * The native client does the same.
 */
export function withoutAnswer(homeDir: string, call: ClientCall, why: string, personIsAsked = false): HostAnswer {
  const no = noOf(call);
  const refuses = no !== undefined && (personIsAsked || isClosed(homeDir, no.ours, call.cwd));
  note(homeDir, call, refuses ? "refused" : "passed", why);
  return refuses ? no.answer : NOTHING;
}

function noOf({ host, event }: ClientCall) {
  const dialect = Object.values(DIALECTS).find(({ name }) => name === host);
  return dialect && ownNo(dialect, event);
}

/** Unreadable counts as closed. */
function isClosed(homeDir: string, event: string, cwd: string): boolean {
  const entries = closedEntries(join(clientFiles(homeDir).runFolder, "closed"));
  if (entries === undefined) return true;
  const isBelow = (folder: string) => folder === "/" || cwd === folder || cwd.startsWith(`${folder}/`);
  return entries.some((entry) => entry.event === event && isBelow(entry.folder));
}

function closedEntries(file: string) {
  try {
    return readClosed(readOwnFile(file, MOST_CLOSED_BYTES));
  } catch {
    return undefined;
  }
}

function note(homeDir: string, { host, event, cwd }: ClientCall, outcome: string, why: string): void {
  const fields = [Date.now(), host, event, outcome, why, cwd].map((field) => String(field).replaceAll(/\s/g, " "));
  try {
    appendOwnFile(clientFiles(homeDir).missed, `${fields.join("\t")}\n`);
  } catch {
    // The answer matters more.
  }
}
