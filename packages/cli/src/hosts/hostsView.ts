import type { Capability, OutcomeName } from "@hookline/engine/program";
import { type Colours, colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { showFile } from "../terminal/showPlace.ts";
import { aligned, type Cell, widthOf } from "../terminal/table.ts";
import { ASKED_BY_HOOKLINE, isAskedByHookline } from "./askedByHookline.ts";
import { deadlinesOf } from "./deadlines.ts";
import { type FoundHost, isFound, isUntested } from "./findHosts.ts";
import { fitted } from "./fitted.ts";
import { guardState, type HostReport } from "./hostReports.ts";
import { overridersOf } from "./overriders.ts";
import type { Seat } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";

const OUTCOMES: readonly OutcomeName[] = ["block", "stop", "ask", "rewrite", "context", "replace"];
const EVIDENCE = { tested: "tested", source: "source", documented: "docs", unknown: "?" };

/** What is on this machine, and what each agent does with an outcome of a hook. */
export function hostsView(reports: readonly HostReport[], io: Io): readonly string[] {
  const paint = colours(io);
  const legend =
    "tested, source, docs: it works, and how that is known · → what happens instead · -: not possible there · " +
    `hookline: ${ASKED_BY_HOOKLINE}`;
  return [
    ...overview(reports, io, paint),
    ...reports.flatMap((report) => ["", ...capabilities(report, io, paint)]),
    "",
    ...fitted(legend, io, { first: "", rest: "" }).map(paint.dim),
  ];
}

/** A table; on a narrow terminal a paragraph for each agent. */
function overview(reports: readonly HostReport[], io: Io, { bold, dim, yellow, green }: Colours): readonly string[] {
  const head = ["agent", "on this machine", "tested with", "installed"].map((text) => ({ text, style: bold }));
  const rows = reports.map((report): readonly Cell[] => {
    const { found } = report;
    const { title, tested } = dialectOf(found.seat);
    const version = found.version ?? presence(found);
    const places = placesOf(report, io).join(", ");
    const isFine = guardState(report) === "guarded";
    return [
      title,
      isUntested(found) ? { text: version, style: yellow } : isFound(found) ? version : { text: version, style: dim },
      tested,
      places === "" ? { text: "-", style: dim } : { text: places, style: isFine ? green : yellow },
    ];
  });
  if (fits([head, ...rows], io)) return aligned([head, ...rows]);
  return reports.flatMap((report) => {
    const { title, tested } = dialectOf(report.found.seat);
    const version = `${report.found.version ?? presence(report.found)}, tested with ${tested}`;
    return [bold(title), ...[version, ...placesOf(report, io)].flatMap((text) => fitted(text, io, { rest: "    " }))];
  });
}

function placesOf({ installed }: HostReport, io: Io): readonly string[] {
  return installed.map(({ level, path, isThere, faults }) => {
    const file = showFile(path, { projectRoot: io.cwd, homeDir: io.homeDir });
    const isOff = faults.length > 0 ? " (not guarded as installed: hookline status)" : "";
    const remark = isThere ? isOff : " (its hooks are gone from the file)";
    return `${level} · ${file}${remark}`;
  });
}

function presence({ program, hasFolder }: FoundHost): string {
  if (program !== undefined) return "unknown version";
  return hasFolder ? "only its folder" : "not found";
}

function capabilities({ found, never }: HostReport, io: Io, paint: Colours): readonly string[] {
  const { bold, dim } = paint;
  const dialect = dialectOf(found.seat);
  const head = [dialect.title, ...OUTCOMES].map((text) => ({ text, style: bold }));
  const events = Object.entries(dialect.events).flatMap(([name, event]) => {
    if (event.ours === null) return [];
    const title = name === event.ours ? name : `${name} (${event.ours})`;
    return [{ title, cells: OUTCOMES.map((outcome) => cell(outcome, event.can[outcome], paint)) }];
  });
  const rows = [head, ...events.map(({ title, cells }) => [title, ...cells])];
  const remarks = [...(never.length === 0 ? [] : [`never fires ${never.join(", ")}`]), ...remarksOn(found.seat)];
  return [
    ...(fits(rows, io) ? aligned(rows) : [bold(dialect.title), ...events.flatMap((event) => paragraph(event, io))]),
    ...remarks.flatMap((text) => fitted(text, io, { rest: "    " })).map(dim),
  ];
}

/** What is possible on one event, for a terminal that is too narrow for the table. */
function paragraph({ title, cells }: { readonly title: string; readonly cells: readonly Cell[] }, io: Io) {
  const possible = OUTCOMES.map((outcome, index) => `${outcome} ${textOf(cells[index] ?? "-")}`);
  const kept = possible.filter((one) => !one.endsWith(" -")).map((one) => one.replaceAll(" ", NO_BREAK));
  const lines = fitted(kept.join(" · ") || "-", io, { first: "    ", rest: "    " });
  return [`  ${title}`, ...lines.map((line) => line.replaceAll(NO_BREAK, " "))];
}

/** Keeps an outcome and what becomes of it on one line. */
const NO_BREAK = "\u00a0";

function fits(rows: readonly (readonly Cell[])[], { columns }: Io): boolean {
  return !columns || aligned(rows.map((row) => row.map(textOf))).every((line) => widthOf(line) <= columns);
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function cell(outcome: OutcomeName, able: Capability, { dim, yellow }: Pick<Colours, "dim" | "yellow">): Cell {
  if (isAskedByHookline(outcome, able)) return { text: "hookline", style: yellow };
  if (able.is === "no") return { text: "-", style: dim };
  if (able.is === "degraded") return { text: `→ ${able.to}`, style: yellow };
  return `${EVIDENCE[able.evidence]}${able.overriddenBy === undefined ? "" : "*"}`;
}

function remarksOn(seat: Seat): readonly string[] {
  const dialect = dialectOf(seat);
  const { failure } = dialect;
  const longestMs = deadlinesOf(seat, "", true).timeoutMs;
  const open = failure.rows
    .filter(({ action }) => action === "runs")
    .map(({ when, unless }) => `${when}${unless === undefined ? "" : ` (not with ${unless})`}`);
  return [
    ...overridersOf(dialect).map((text) => `* can be overridden by ${text}`),
    ...(open.length === 0 ? [] : [`lets the tool run on: ${open.join("; ")}`]),
    `waits up to ${minutes(longestMs)} for hookline, as it is installed; ${minutes(failure.timeoutMs.usual)} for other hooks, unless told otherwise`,
  ];
}

function minutes(ms: number): string {
  return `${ms / 60_000} min`;
}

export function hostsJson(reports: readonly HostReport[]): unknown {
  return {
    hosts: reports.map(({ found, installed, never }) => {
      const { name, title, tested, events, failure } = dialectOf(found.seat);
      const { program = null, version = null } = found;
      const mapped = Object.entries(events).flatMap(([event, row]) =>
        row.ours === null ? [] : [{ event, ours: row.ours, can: row.can }],
      );
      return {
        name,
        title,
        found: isFound(found),
        program,
        version,
        tested,
        isTested: version !== null && !isUntested(found),
        installed,
        events: mapped,
        never,
        failure,
      };
    }),
  };
}
