import { connect } from "node:net";
import type { z } from "zod";
import type { ControlRequest } from "./control.ts";
import { runFolder } from "./runFolder.ts";
import { findSocket } from "./socketPlace.ts";

/** A daemon that does not answer a question about itself within that is not working. */
const PATIENCE_MS = 5_000;

/** Undefined if no daemon runs, or it ends before it answers. It is of the same user, but maybe of another version. */
export async function askDaemon<Answer>(
  homeDir: string,
  request: ControlRequest,
  schema: z.ZodType<Answer>,
  { patienceMs = PATIENCE_MS, signal }: Waiting = {},
): Promise<Answer | undefined> {
  const socketPath = findSocket(runFolder(homeDir));
  if (socketPath === undefined) return undefined;
  const line = await exchange(socketPath, `${JSON.stringify(request)}\n`, { patienceMs, signal });
  return line === undefined ? undefined : schema.parse(JSON.parse(line));
}

interface Waiting {
  readonly patienceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

async function exchange(
  socketPath: string,
  line: string,
  { patienceMs = PATIENCE_MS, signal }: Waiting,
): Promise<string | undefined> {
  const socket = connect({ path: socketPath, signal });
  const late = new Error(`The daemon did not answer within ${patienceMs / 1000} s.`);
  socket.setTimeout(patienceMs, () => socket.destroy(late));
  try {
    // Not ended by us: to the daemon, an asker whose side is closed is gone.
    socket.setEncoding("utf8").write(line);
    let answer = "";
    for await (const chunk of socket) {
      answer += chunk;
      if (answer.endsWith("\n")) return answer;
    }
    return undefined; // it ended before it had answered
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ECONNREFUSED") return undefined;
    throw error;
  }
}
