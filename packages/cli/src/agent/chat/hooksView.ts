import type { HookRegistryEntry } from "@hookline/engine/program";
import { type Colours, colours } from "../../terminal/colour.ts";
import { durationText } from "../../terminal/duration.ts";
import type { Io } from "../../terminal/io.ts";
import { aligned, type Cell } from "../../terminal/table.ts";
import { shortened } from "../../terminal/visible.ts";
import type { HookReport } from "../agentEvent.ts";

const HEAD = ["hook", "event", "state", "runs", "last"];
const LONGEST_NAME = 40;

/** Lists every hook with its state and what it did in this session. */
export function hooksView(
  entries: readonly HookRegistryEntry[],
  reports: readonly HookReport[],
  io: Pick<Io, "colour">,
): string[] {
  if (entries.length === 0) return ["No hooks are declared here."];
  const paint = colours(io);
  const rows = entries.map((entry): Cell[] => {
    const { name, eventName } = entry.config;
    const own = reports.filter(({ hook, event }) => hook === name && event === eventName);
    return [
      shortened(name, LONGEST_NAME),
      eventName,
      stateOf(entry, paint),
      String(own.length),
      lastOf(own.at(-1), paint),
    ];
  });
  return aligned([HEAD.map((text) => ({ text, style: paint.bold })), ...rows], "  ");
}

function stateOf({ config: { off }, enabled, withheld }: HookRegistryEntry, { dim, red, yellow }: Colours): Cell {
  if (withheld !== undefined) return { text: "withheld", style: red };
  if (enabled) return "on";
  if (off?.kind === "untrusted") return { text: "untrusted", style: yellow };
  return off?.kind === "broken" ? { text: "broken", style: red } : { text: "off", style: dim };
}

function lastOf(report: HookReport | undefined, { dim, red, yellow }: Colours): Cell {
  if (!report) return { text: "–", style: dim };
  const { decision, ok, durationMs } = report;
  const text = `${ok || decision !== "allow" ? decision : "failed"} · ${durationText(durationMs)}`;
  if (decision === "block" || decision === "stop") return { text, style: red };
  return ok && decision === "allow" ? text : { text, style: yellow };
}
