import { rmSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "@hookline/engine/program";
import { appendOwnFile, makeUserFolder, readOwnTail } from "@hookline/journal/program";
import { z } from "zod";
import { ProgramError } from "../errors.ts";

const entry = z.object({
  command: z.string(),
  projectRoot: z.string(),
  at: z.string(),
  /** The parent first. */
  processes: z.array(z.string()),
});

export type UnattendedDecision = z.infer<typeof entry>;

const MOST_NAMED = 20;
const MOST_BYTES = 1024 ** 2;

/** Stores a decision made without a terminal, to show it to the next person who starts a session. */
export function keepUnattended(homeDir: string, decision: UnattendedDecision): void {
  const file = fileIn(homeDir);
  try {
    makeUserFolder(homeDir);
    appendOwnFile(file, `${JSON.stringify(decision)}\n`);
  } catch (cause) {
    const what = `A decision without a terminal must be recorded, and that failed: ${String(cause)}.`;
    throw new ProgramError({ code: "FILE_UNUSABLE", where: { file }, what, cause });
  }
}

/** Decisions made without a terminal since a person last started a session at one. */
export function unattendedNotices(homeDir: string): string[] {
  const file = fileIn(homeDir);
  try {
    return decisionsIn(readOwnTail(file, MOST_BYTES)).map(
      ({ command, projectRoot, at, processes: [parent = "an unknown process"] }) =>
        `Decided without a terminal at ${at}: \`${command}\` in ${projectRoot}, started by ${parent}`,
    );
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    const why = errorText(error);
    return [`${file} cannot be read (${why}), so decisions made without a terminal are not listed. Move it away.`];
  }
}

/** A person has seen them. */
export function forgetUnattended(homeDir: string): void {
  try {
    rmSync(fileIn(homeDir), { force: true });
  } catch {
    // They will be shown again.
  }
}

function decisionsIn(text: string): readonly UnattendedDecision[] {
  const lines = text.split("\n").filter(Boolean).slice(-MOST_NAMED);
  return lines.flatMap((line) => {
    try {
      return [entry.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

const fileIn = (homeDir: string) => join(homeDir, ".hookline", "unattended.jsonl");
