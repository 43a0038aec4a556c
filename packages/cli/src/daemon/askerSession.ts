import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { isOtherAgent } from "../decisions/otherAgents.ts";
import { sessionAbove } from "../decisions/sessionMarks.ts";
import { packageFile } from "../packageFile.ts";
import { ancestors, hasTerminalOf, processFacts } from "../terminal/processes.ts";

const PATIENCE_MS = 5_000;
const NATIVE = packageFile(`native/hookline-hook-${process.platform}-${process.arch}`);

export interface AskerOptions {
  readonly homeDir: string;
  /** Whether the user accepts decisions without a terminal. */
  readonly mayLackTerminal: () => Promise<boolean>;
}

/**
 * Why the process at the other end must not decide for a person: the agent's session that it belongs to, or its lack of a terminal. Our commands
 * look for themselves, but any program can write to the socket. Undefined if it may, or if this machine cannot tell, for want of the native client.
 */
export async function askerSession(
  socket: Socket,
  { homeDir, mayLackTerminal }: AskerOptions,
): Promise<string | undefined> {
  if (!existsSync(NATIVE)) return undefined;
  const pid = Number(await peerOf(socket));
  const asker = pid > 0 ? processFacts(pid) : undefined;
  if (asker === undefined) return "a process that has ended";
  const above = () => ancestors(isOtherAgent(asker) ? pid : asker.parent);
  const session = sessionAbove({ env: {}, homeDir, ancestors: above });
  if (session !== undefined || hasTerminalOf(pid) || (await mayLackTerminal())) return session;
  return `process ${pid}, which has no terminal`;
}

/** Node cannot ask the kernel who connected. */
function peerOf(socket: Socket): Promise<string> {
  const child = spawn(NATIVE, ["--peer"], { stdio: [socket, "pipe", "ignore"], timeout: PATIENCE_MS });
  child.on("error", () => {}); // it prints nothing
  return text(child.stdout);
}
