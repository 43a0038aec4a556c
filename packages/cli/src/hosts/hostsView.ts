import type { Capability, Dialect, OutcomeName } from "@hookline/engine/program";
import { type Colours, colours } from "../terminal/colour.ts";
import { durationText } from "../terminal/duration.ts";
import type { Io } from "../terminal/io.ts";
import { showFile } from "../terminal/showPlace.ts";
import { aligned, type Cell } from "../terminal/table.ts";
import { wrapped } from "../terminal/wrapped.ts";
import { type FoundHost, isFound, isUntested } from "./findHosts.ts";
import type { HostReport } from "./hostReports.ts";
import { overridersOf } from "./overriders.ts";
import { dialectOf } from "./seatNamed.ts";

const OUTCOMES: readonly OutcomeName[] = ["block", "stop", "ask", "rewrite", "context", "replace"];
/** Where no terminal reports its width. */
const USUAL_COLUMNS = 100;
const FEWEST_COLUMNS = 40;
const EVIDENCE = { tested: "tested", source: "source", documented: "docs", unknown: "?" };

/** What is on this machine, and what each agent does with an outcome of a hook. */
export function hostsView(reports: readonly HostReport[], io: Io): readonly string[] {
  const paint = colours(io);
  const head = ["agent", "on this machine", "tested with", "installed"].map((text) => ({ text, style: paint.bold }));
  return [
    ...aligned([head, ...reports.map((report) => overview(report, io, paint))]),
    ...reports.flatMap((report) => ["", ...capabilities(report, io, paint)]),
    "",
    paint.dim("tested, source, docs: it works, and how that is known · → what happens instead · -: not possible there"),
  ];
}

function overview({ found, installed }: HostReport, io: Io, { dim, yellow, green }: Colours): readonly Cell[] {
  const { title, tested } = dialectOf(found.seat);
  const version = found.version ?? presence(found);
  const places = installed.map(({ level, path, isThere }) => {
    const file = showFile(path, { projectRoot: io.cwd, homeDir: io.homeDir });
    return `${level} · ${file}${isThere ? "" : " (its hooks are gone from the file)"}`;
  });
  return [
    title,
    isUntested(found) ? { text: version, style: yellow } : isFound(found) ? version : { text: version, style: dim },
    tested,
    places.length === 0 ? { text: "-", style: dim } : { text: places.join(", "), style: green },
  ];
}

function presence({ program, hasFolder }: FoundHost): string {
  if (program !== undefined) return "unknown version";
  return hasFolder ? "only its folder" : "not found";
}

function capabilities(
  { found, never }: HostReport,
  { columns }: Io,
  { bold, dim, yellow }: Colours,
): readonly string[] {
  const dialect = dialectOf(found.seat);
  const head = [dialect.title, ...OUTCOMES].map((text) => ({ text, style: bold }));
  const rows = Object.entries(dialect.events).flatMap(([name, event]) => {
    if (event.ours === null) return [];
    const { can } = event;
    return [
      [
        name === event.ours ? name : `${name} (${event.ours})`,
        ...OUTCOMES.map((outcome) => cell(can[outcome], { dim, yellow })),
      ],
    ];
  });
  const remarks = [...(never.length === 0 ? [] : [`never fires ${never.join(", ")}`]), ...remarksOn(dialect)];
  return [
    ...aligned([head, ...rows]),
    ...remarks
      .flatMap((text) => wrapped(text, Math.max(FEWEST_COLUMNS, columns || USUAL_COLUMNS) - 4))
      .map((text) => dim(`  ${text}`)),
  ];
}

function cell(able: Capability, { dim, yellow }: Pick<Colours, "dim" | "yellow">): Cell {
  if (able.is === "no") return { text: "-", style: dim };
  if (able.is === "degraded") return { text: `→ ${able.to}`, style: yellow };
  return `${EVIDENCE[able.evidence]}${able.overriddenBy === undefined ? "" : "*"}`;
}

function remarksOn(dialect: Dialect): readonly string[] {
  const { failure } = dialect;
  const open = failure.rows
    .filter(({ action }) => action === "runs")
    .map(({ when, unless }) => `${when}${unless === undefined ? "" : ` (not with ${unless})`}`);
  return [
    ...overridersOf(dialect).map((text) => `* can be overridden by ${text}`),
    ...(open.length === 0 ? [] : [`lets the tool run on: ${open.join("; ")}`]),
    `waits ${durationText(failure.timeoutMs.usual)} for a hook, unless its settings say otherwise`,
  ];
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
