import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { isOtherAgent } from "../decisions/otherAgents.ts";
import { sessionAbove } from "../decisions/sessionMarks.ts";
import { packageFile } from "../packageFile.ts";
import { ancestors, processFacts } from "../terminal/processes.ts";

const PATIENCE_MS = 5_000;
const NATIVE = packageFile(`native/hookline-hook-${process.platform}-${process.arch}`);

/**
 * The agent's session that the process at the other end belongs to. Our commands look for themselves, but any program can write to the socket:
 * an agent must not answer its own questions. Undefined if it belongs to none, or this machine cannot tell, for want of the native client.
 */
export async function askerSession(socket: Socket, homeDir: string): Promise<string | undefined> {
  if (!existsSync(NATIVE)) return undefined;
  const pid = Number(await peerOf(socket));
  const asker = pid > 0 ? processFacts(pid) : undefined;
  if (asker === undefined) return "a process that has ended";
  return sessionAbove({ env: {}, homeDir, ancestors: () => ancestors(isOtherAgent(asker) ? pid : asker.parent) });
}

/** Node cannot ask the kernel who connected. */
function peerOf(socket: Socket): Promise<string> {
  const child = spawn(NATIVE, ["--peer"], { stdio: [socket, "pipe", "ignore"], timeout: PATIENCE_MS });
  child.on("error", () => {}); // it prints nothing
  return text(child.stdout);
}
