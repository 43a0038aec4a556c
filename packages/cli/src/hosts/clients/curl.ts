import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DIALECTS, ownNo } from "@hookline/engine/program";
import { packageFile } from "../../packageFile.ts";
import { clientFiles } from "../clientFiles.ts";
import { shellCommand } from "../shellCommand.ts";
import { type ClientRow, type ClientStart, scriptOf } from "./clientRow.ts";

const PROGRAMS = ["base64", "curl", "date", "env", "head", "ls", "mktemp", "rm", "sleep", "tail", "tr", "wc"];
/** Folders that belong to the system. */
const FOLDERS = ["/usr/bin", "/bin"];

/** A shell script, which asks the daemon over HTTP on its socket. */
export const curl: ClientRow = {
  kind: "curl",
  lacks: () => {
    const missing = PROGRAMS.filter((name) => programIn(name) === undefined);
    if (missing.length > 0) return `${missing.join(", ")} not found in ${FOLDERS.join(" or ")}`;
    return hasUnixSockets() ? undefined : "curl is built without Unix sockets";
  },
  bytes: (start) => scriptOf([...headOf(start), readFileSync(packageFile("shell/hookline-hook.sh"), "utf8").trimEnd()]),
  note: "The client is a shell script with curl here, not the native program: each call takes about 20 ms.",
};

/** What is fixed at the installation. */
function headOf({ homeDir, node, script }: ClientStart): readonly string[] {
  const { runFolder } = clientFiles(homeDir);
  // A repository may have set these through the agent: they change what Node runs, and where hookline looks for its own files.
  const leftOut = [
    "NODE_OPTIONS",
    "NODE_PATH",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "HOOKLINE_STATE_DIR",
    "HOOKLINE_CODE_CACHE",
  ];
  const start = shellCommand([node, script, "daemon", "start"]);
  return [
    "#!/bin/sh",
    ...PROGRAMS.map((name) => `HOOKLINE_${name.toUpperCase()}=${programIn(name) ?? ""}`),
    `HOOKLINE_RUN=${shellCommand([runFolder])}`,
    `start_daemon() { cd / && unset ${leftOut.join(" ")} && HOME=${shellCommand([homeDir])} ${start}; }`,
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

/** Always in quotes: a pattern of `case` must be no pattern. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function programIn(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function hasUnixSockets(): boolean {
  const { stdout } = spawnSync(programIn("curl") ?? "", ["-q", "--version"], { encoding: "utf8", timeout: 5_000 });
  return /\bUnixSockets\b/.test(stdout);
}
