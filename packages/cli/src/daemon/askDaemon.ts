import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { z } from "zod";
import type { ControlRequest } from "./control.ts";
import { runFolder } from "./runFolder.ts";

/** A daemon that does not answer a question about itself within that is not working. */
const PATIENCE_MS = 5_000;

/** Undefined if no daemon runs. The answer is of the same user, but maybe of another version. */
export async function askDaemon<Answer>(
  homeDir: string,
  request: ControlRequest,
  schema: z.ZodType<Answer>,
): Promise<Answer | undefined> {
  const line = await exchange(runFolder(homeDir).socket, `${JSON.stringify(request)}\n`);
  return line === undefined ? undefined : schema.parse(JSON.parse(line));
}

async function exchange(socketPath: string, line: string): Promise<string | undefined> {
  const socket = connect(socketPath);
  socket.setTimeout(PATIENCE_MS, () =>
    socket.destroy(new Error(`The daemon did not answer within ${PATIENCE_MS / 1000} s.`)),
  );
  try {
    socket.end(line);
    return await text(socket);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ECONNREFUSED") return undefined;
    throw error;
  }
}
