import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DIALECTS, ownNo } from "@hookline/engine/program";
import { daemonEnvironment } from "../../daemon/daemonEnvironment.ts";
import { packageFile } from "../../packageFile.ts";
import { clientFiles } from "../clientFiles.ts";
import type { ClientStart } from "./clientRow.ts";

/** Folders that belong to the system; the last one is that of NixOS. */
const FOLDERS = ["/usr/bin", "/bin", "/run/current-system/sw/bin"];
/** What withoutAnswer.sh starts. */
const ALWAYS = ["date", "env", "ls", "tr", "wc"];

/** A client in shell: what is fixed at the installation, what it does without an answer, and the rest, a file of `shell/`. */
export interface ShellScript {
  readonly file: string;
  /** What it starts. */
  readonly programs: readonly string[];
}

/** Programs that this machine lacks; undefined if it has all. */
export function lacksPrograms({ programs }: ShellScript): string | undefined {
  const missing = [...ALWAYS, ...programs].filter((name) => programIn(name) === undefined);
  return missing.length > 0 ? `${missing.join(", ")} not found in ${FOLDERS.join(" or ")}` : undefined;
}

export function shellScript(start: ClientStart, { file, programs }: ShellScript): Buffer {
  const text = (name: string) => readFileSync(packageFile(`shell/${name}`), "utf8").trimEnd();
  const lines = [
    "#!/bin/sh",
    ...factsOf(start, programs),
    ...ownNoFunction(),
    text("withoutAnswer.sh"),
    "",
    text(file),
  ];
  return Buffer.from(`${lines.join("\n")}\n`);
}

export function programIn(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function factsOf({ homeDir, node, script }: ClientStart, programs: readonly string[]): readonly string[] {
  const { HOME, PATH } = daemonEnvironment(homeDir);
  const paths = { RUN: clientFiles(homeDir).runFolder, HOME, PATH, NODE: node, SCRIPT: script };
  const found = [...ALWAYS, ...programs].map((name) => [name.toUpperCase(), programIn(name) ?? ""]);
  return [...found, ...Object.entries(paths)].map(([name, value = ""]) => `HOOKLINE_${name}=${quoted(value)}`);
}

/** What the client says alone, as a function of the shell. */
function ownNoFunction(): readonly string[] {
  return [
    "own_no() {",
    "  HOOKLINE_OURS='' HOOKLINE_NO_EXIT=0 HOOKLINE_NO_STDOUT='' HOOKLINE_NO_STDERR=''",
    '  case "$HOOKLINE_HOST $HOOKLINE_EVENT" in',
    ...Object.values(DIALECTS).flatMap((dialect) =>
      Object.keys(dialect.events).flatMap((event) => {
        const no = ownNo(dialect, event);
        if (no === undefined) return [];
        const { exitCode, stdout, stderr } = no.answer;
        const values = { OURS: no.ours, NO_EXIT: String(exitCode), NO_STDOUT: stdout, NO_STDERR: stderr };
        const words = Object.entries(values).map(([name, value]) => `HOOKLINE_${name}=${quoted(value)}`);
        return [`    ${quoted(`${dialect.name} ${event}`)}) ${words.join(" ")} ;;`];
      }),
    ),
    "  esac",
    "}",
  ];
}

/** Quoted in any case: an unquoted word would be a pattern in `case`. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
