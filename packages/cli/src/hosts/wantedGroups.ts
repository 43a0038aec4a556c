import { type Dialect, refusal } from "@hookline/engine/program";
import { deadlinesOf } from "./deadlines.ts";
import type { HookGroup, Seat } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";
import { firstWord } from "./shellCommand.ts";

export interface GroupOptions {
  /** The absolute path of the client. */
  readonly client: string;
  readonly trustProject: boolean;
  readonly version: string | undefined;
}

/** What the host's file must say: one group for each event that has a meaning for hooks of ours. */
export function wantedGroups(seat: Seat, options: GroupOptions): ReadonlyMap<string, HookGroup> {
  const dialect = dialectOf(seat);
  const events = Object.keys(dialect.events).filter((event) => dialect.events[event]?.ours !== null);
  return new Map(events.map((event) => [event, groupOf(seat, event, { dialect, ...options })]));
}

function groupOf(
  seat: Seat,
  event: string,
  { dialect, client, trustProject, version }: GroupOptions & { dialect: Dialect },
) {
  const canObject = refusal(dialect, event) !== undefined;
  const { timeoutMs, deadlineMs, askDeadlineMs } = deadlinesOf(seat, event, canObject);
  const deadlines = ["--deadline", String(deadlineMs), "--ask-deadline", String(askDeadlineMs)];
  return seat.group({
    program: client,
    args: [seat.name, event, ...deadlines, ...(trustProject ? ["--trust-project"] : [])],
    timeout: timeoutMs / seat.timeout.unitMs,
    // A refused end of a turn would make the agent go on without end.
    closes: canObject && dialect.events[event]?.ours !== "AfterAgent",
    version,
  });
}

/** Whether a hook in a host's file is ours. */
export function callsClient(hook: unknown, client: string): boolean {
  if (typeof hook !== "object" || hook === null || !("command" in hook)) return false;
  const { command } = hook;
  return typeof command === "string" && (command === client || firstWord(command) === client);
}
