import { spawnSync } from "node:child_process";
import type { ClientRow } from "./clientRow.ts";
import { lacksPrograms, programIn, type ShellScript, shellScript } from "./shellScript.ts";

const SCRIPT: ShellScript = {
  file: "curlClient.sh",
  programs: ["base64", "curl", "head", "mktemp", "rm", "sleep", "tail"],
};

/** A shell script, which asks the daemon over HTTP on its socket. */
export const curl: ClientRow = {
  kind: "curl",
  lacks: () => lacksPrograms(SCRIPT) ?? (hasUnixSockets() ? undefined : "curl is built without Unix sockets"),
  bytes: (start) => shellScript(start, SCRIPT),
  note: "The client is a shell script with curl here, not the native program: each call takes about 20 ms.",
};

function hasUnixSockets(): boolean {
  const { stdout } = spawnSync(programIn("curl") ?? "", ["-q", "--version"], { encoding: "utf8", timeout: 5_000 });
  return /\bUnixSockets\b/.test(stdout);
}
