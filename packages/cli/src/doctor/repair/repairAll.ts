import { HooklineError } from "@hookline/engine";
import { messageOf, type Trouble } from "../finding.ts";

export interface Repair {
  readonly isDone: boolean;
  /** What was done, or why it could not be. */
  readonly what: string;
}

/** One after the other: some follow from others. */
export async function repairAll(troubles: readonly Trouble[]): Promise<readonly Repair[]> {
  const repairs: Repair[] = [];
  for (const { what, fix } of troubles) {
    if (!fix) continue;
    try {
      repairs.push({ isDone: true, what: await fix() });
    } catch (cause) {
      const why = cause instanceof HooklineError ? cause.what : messageOf(cause);
      repairs.push({ isDone: false, what: `${what} It could not be repaired: ${why}` });
    }
  }
  return repairs;
}
