import { localTime } from "../journal/views/times.ts";
import { type Colours, colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { lookOf, outcomeText } from "../terminal/outcome.ts";
import { aligned, counted } from "../terminal/table.ts";
import { shortened, visible, visibleLines } from "../terminal/visible.ts";
import { changedFields, type Difference, type FinalValue } from "./difference.ts";
import { type Group, groupsOf } from "./groups.ts";
import type { ReplayReport } from "./replayRecorded.ts";
import type { HookNote, Verdict } from "./verdict.ts";

const ID_LENGTH = 8;
const MOST_LINES = 5;
const LONGEST_VALUE = 60;
const LONGEST_WHY = 240;
const MOST_WHYS = 10;

/** Every group of differences, then a summary. */
export function replayView(report: ReplayReport, io: Io): string[] {
  const groups = groupsOf(report.differences).flatMap((group) => [...groupView(group, io), ""]);
  return [...groups, ...summaryView(report, io)];
}

function groupView(group: Group, io: Io): string[] {
  const paint = colours(io);
  const newest = group.at(-1) ?? group[0];
  const { eventId, at, event, subject } = newest;
  const times = group.length === 1 ? "" : `  ${paint.bold(`×${group.length}`)}`;
  const about = visible([event, subject].filter((part) => part !== undefined).join(" "));
  const which = group.length === 1 ? "event" : "newest";
  const trace = `hookline trace ${visible(eventId.slice(0, ID_LENGTH))}`;
  return [
    `${whatView(newest, paint)}  ${paint.bold(about)}${times}`,
    ...sideView("before", beforeLines(newest), paint),
    ...sideView("after", afterLines(newest), paint),
    ...sideView(which, [paint.dim(`${localTime(at)}, ${trace}`)], paint),
  ];
}

/** `✗ block → ✓ allow`, or `✗ block, other reason`. */
function whatView({ aspects, before, after }: Difference, paint: Colours): string {
  const [was, is] = [before, after].map(({ decision }) => paint[lookOf(decision).colour](outcomeText(decision)));
  if (aspects.includes("decision")) return `${was} → ${is}`;
  const others = aspects.map((aspect) => (aspect === "rewrites" ? "other rewrite" : "other reason"));
  return `${is}, ${others.join(", ")}`;
}

function beforeLines({ before, after }: Difference): string[] {
  const fields = changedFields(before, after).map(({ path, before: was }) => fieldLine(path, was));
  return saidOr([...objection(before), ...fields, ...noteLines(before.failures, "failed: ")]);
}

function afterLines({ before, after, notes }: Difference): string[] {
  const fields = changedFields(before, after).map(({ path, after: is }) => fieldLine(path, is));
  return saidOr([...objection(after), ...fields, ...noteLines(after.failures, "failed: "), ...noteLines(notes)]);
}

function saidOr(lines: string[]): string[] {
  return lines.length === 0 ? ["no hook objected"] : lines;
}

/** The hooks that objected, and their reason. */
function objection({ decision, hooks, reason }: Verdict): string[] {
  if (decision === "allow") return [];
  const who = hooks.map(visible).join(", ");
  const [first = "", ...more] = bounded(reason ?? "");
  return [[who, first].filter(Boolean).join(": "), ...more];
}

function bounded(text: string): string[] {
  const lines = visibleLines(text.trimEnd());
  const rest = lines.length - MOST_LINES;
  return rest > 0 ? [...lines.slice(0, MOST_LINES), `… ${counted(rest, "more line")}`] : lines;
}

function fieldLine(path: string, final: FinalValue | undefined): string {
  if (final === undefined) return `${visible(path)} is not rewritten`;
  return `${visible(path)} → ${shortened(JSON.stringify(final.value) ?? "", LONGEST_VALUE)} by ${visible(final.hook)}`;
}

function noteLines(notes: readonly HookNote[], word = ""): string[] {
  return notes.map(({ hook, what }) => `${visible(hook)} ${word}${bounded(what)[0] ?? ""}`);
}

function sideView(label: string, [first = "", ...more]: readonly string[], { dim }: Colours): string[] {
  const indent = " ".repeat(12);
  return [`    ${dim(label.padEnd(8))}${first}`, ...more.map((line) => indent + line)];
}

function summaryView(report: ReplayReport, io: Io): string[] {
  const { yellow, dim } = colours(io);
  const { events, same, differences, incomparable, hasMore, isInterrupted, leftOut } = report;
  const compared = same + differences.length;
  const older = `There are more; these are the newest ${events}. Use --limit to replay more.`;
  return [
    ...(isInterrupted
      ? [yellow(`! Interrupted after ${compared + incomparable.length} of ${counted(events, "event")}.`)]
      : []),
    resultLine(report, io),
    ...incomparableView(report, io),
    ...(leftOut.length === 0 ? [] : [dim(`  skipped because of replay: skip: ${leftOut.map(visible).join(", ")}`)]),
    ...(hasMore ? [dim(`  ${older}`)] : []),
  ];
}

function resultLine({ same, differences, incomparable }: ReplayReport, io: Io): string {
  const { green, red, yellow } = colours(io);
  const compared = same + differences.length;
  if (compared === 0) return `${yellow("!")} no event could be compared`;
  const were = `${counted(compared, "event")} compared`;
  const mark = incomparable.some(({ hasFailed }) => hasFailed) ? yellow("!") : green("✓");
  if (differences.length === 0) return `${mark} ${were}, all decided the same`;
  return `${red("✗")} ${were}: ${differences.length} different, ${same} the same`;
}

function incomparableView({ incomparable }: ReplayReport, io: Io): string[] {
  if (incomparable.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { why } of incomparable) counts.set(why, (counts.get(why) ?? 0) + 1);
  // The message of a failed hook can differ each time.
  const whys = [...counts].sort(([, one], [, other]) => other - one);
  const rows = whys.slice(0, MOST_WHYS).map(([why, count]) => [String(count), shortened(firstLine(why), LONGEST_WHY)]);
  const more = whys.length - MOST_WHYS;
  return [
    `${colours(io).yellow("!")} ${counted(incomparable.length, "event")} not comparable`,
    ...aligned(rows, "    "),
    ...(more > 0 ? [`    … ${counted(more, "more reason")}; --json has all of them`] : []),
  ];
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
