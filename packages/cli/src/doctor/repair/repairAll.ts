import { HooklineError } from "@hookline/engine";
import { errorText } from "@hookline/engine/program";
import type { Io } from "../../terminal/io.ts";
import { visible } from "../../terminal/visible.ts";
import type { Trouble } from "../finding.ts";

export interface Repair {
  readonly isDone: boolean;
  /** What was done, or why it failed. */
  readonly what: string;
}

/** Repairs one after the other: some depend on others. */
export async function repairAll(
  troubles: readonly Trouble[],
  io: Pick<Io, "interactive" | "confirm">,
): Promise<readonly Repair[]> {
  const repairs: Repair[] = [];
  for (const { what, question, fix } of troubles) {
    if (!fix) continue;
    const refusal = question === undefined ? undefined : await refusalOf(question, io);
    if (refusal !== undefined) {
      repairs.push({ isDone: false, what: `${what} Not repaired: ${refusal}.` });
      continue;
    }
    try {
      repairs.push({ isDone: true, what: await fix() });
    } catch (cause) {
      const why = cause instanceof HooklineError ? cause.what : errorText(cause);
      repairs.push({ isDone: false, what: `${what} The repair failed: ${why}` });
    }
  }
  return repairs;
}

async function refusalOf(question: string, io: Pick<Io, "interactive" | "confirm">): Promise<string | undefined> {
  if (!io.interactive) return "this needs your confirmation at a terminal";
  return (await io.confirm(visible(question))) ? undefined : "you said no";
}
