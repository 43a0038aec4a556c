import { type Capability, DIALECTS, type Dialect, OUTCOMES, type OutcomeName } from "@hookline/engine/program";
import { ProgramError } from "../errors.ts";
import type { Io } from "../terminal/io.ts";
import { ASKED_BY_HOOKLINE, isAskedByHookline } from "./askedByHookline.ts";
import { fitted } from "./fitted.ts";

/** What becomes of an event of ours in one agent. */
export interface HostExplanation {
  readonly host: string;
  readonly title: string;
  /** Empty: the agent never fires it. */
  readonly events: readonly { readonly name: string; readonly can: Readonly<Record<OutcomeName, Capability>> }[];
}

export function explainHost(host: string, event: string): HostExplanation {
  const dialect = Object.values(DIALECTS).find(({ name }) => name === host);
  if (!dialect) {
    const what = `There is no agent "${host}" that hookline knows. The agents are: ${Object.keys(DIALECTS).join(", ")}.`;
    throw new ProgramError({ code: "HOST_UNKNOWN", what });
  }
  return { host, title: dialect.title, events: eventsOf(dialect, event) };
}

function eventsOf({ events }: Dialect, ours: string): HostExplanation["events"] {
  return Object.entries(events).flatMap(([name, row]) => (row.ours === ours ? [{ name, can: row.can }] : []));
}

export function hostExplanationText({ title, events }: HostExplanation, event: string, io: Io): readonly string[] {
  if (events.length === 0) return [`${title} never fires ${event}: no hook on it runs there.`];
  return events.flatMap(({ name, can }) => [
    `in ${title}, on its event ${name}`,
    ...OUTCOMES.filter((outcome) => outcome !== "allow").flatMap((outcome) =>
      fitted(said(outcome, can[outcome]), io, { first: `  ${outcome.padEnd(8)} `, rest: " ".repeat(11) }),
    ),
  ]);
}

function said(outcome: OutcomeName, able: Capability): string {
  if (isAskedByHookline(outcome, able)) return ASKED_BY_HOOKLINE;
  if (able.is === "no") return "not possible";
  const how = able.is === "yes" ? `yes (${able.evidence})` : `${able.says} (${able.evidence})`;
  return able.overriddenBy === undefined ? how : `${how}; can be overridden by ${able.overriddenBy}`;
}
