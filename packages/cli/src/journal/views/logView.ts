import type { JournalRecord, LogItem, RecordKind } from "@hookline/journal";
import { objectors, UNREADABLE } from "@hookline/journal/program";
import { type Colours, colours } from "../../terminal/colour.ts";
import { durationText } from "../../terminal/duration.ts";
import type { Io } from "../../terminal/io.ts";
import { lookOf, outcomeText } from "../../terminal/outcome.ts";
import { aligned, type Cell, widthOf } from "../../terminal/table.ts";
import { shortened, visible } from "../../terminal/visible.ts";
import { cellText } from "./cellText.ts";
import { changesBy, changesOf } from "./changes.ts";
import { needsWhy, outcomeOf, whyOf } from "./outcomes.ts";
import { localTime } from "./times.ts";

const LONGEST_NAME = 32;
const LONGEST_SAYING = 200;
const SHORTEST_SAYING = 20;
/** Enough to tell events apart, and accepted by `hookline trace`. */
const ID_LENGTH = 8;

const TIMELESS: ReadonlySet<RecordKind> = new Set(["skip", "gap", "late"]);

/** Formats the log. From one batch to the next, columns keep their positions or move right. */
export class LogView {
  readonly #io: Io;
  readonly #paint: Colours;
  #ruler: readonly string[] = [];

  constructor(io: Io) {
    this.#io = io;
    this.#paint = colours(io);
  }

  lines(items: readonly LogItem[]): string[] {
    const rows = items.map((item) => this.#cells(item));
    this.#ruler = [...(rows[0]?.keys() ?? [])].map((column) =>
      " ".repeat(Math.max(...[this.#ruler, ...rows].map((row) => widthOf(cellText(row[column]))))),
    );
    const taken = this.#ruler.reduce((sum, { length }) => sum + length + 2, 0);
    const room = Math.max(SHORTEST_SAYING, (this.#io.columns ?? Number.POSITIVE_INFINITY) - taken);
    const sayings = items.map((item) => saying(item));
    const full = rows.map((row, index): Cell[] => [
      ...row,
      shortened(sayings[index] ?? "", Math.min(room, LONGEST_SAYING)),
    ]);
    return aligned([this.#ruler, ...full]).slice(1);
  }

  #cells({ record }: LogItem): Cell[] {
    const { at, kind, eventId, event, subject, durationUs } = record;
    const outcome = outcomeOf(record);
    const { dim } = this.#paint;
    return [
      { text: localTime(at), style: dim },
      { text: visible(eventId?.slice(0, ID_LENGTH) ?? "-"), style: dim },
      shortened(event ?? `(${kind})`, LONGEST_NAME),
      shortened(subject ?? "-", LONGEST_NAME),
      { text: outcomeText(outcome), style: this.#paint[lookOf(outcome).colour] },
      { text: TIMELESS.has(kind) ? "" : durationText(durationUs / 1_000).padStart(7), style: dim },
    ];
  }
}

/** Notes for the user about variables that the hook may need. */
function missingVariables({ body }: JournalRecord): readonly string[] {
  return (body.notes ?? []).filter((note) => note.startsWith("withheld from its environment"));
}

/**
 * Event: who objected and why, who failed, who changed what. Hook run: the reason of its outcome, and what it changed.
 */
function saying(item: LogItem): string {
  const { record, hooks } = item;
  const { kind, hook, body } = record;
  if (body === UNREADABLE) return `(${UNREADABLE.notes?.join("")})`;
  switch (kind) {
    case "event": {
      const who = [...new Set(objectors(item).map((run) => run.hook))].join(", ");
      const why = whyOf(record) ?? "";
      const failures = hooks.filter(({ outcome: own }) => own === "failed" || own === "abandoned").map(failed);
      const missing = hooks.flatMap((run) => missingVariables(run).map((note) => `${run.hook}: ${note}`));
      const said = [[who, why].filter(Boolean).join(": "), ...failures, ...missing, ...changesOf(record)];
      return said.filter(Boolean).join("; ");
    }
    case "run":
    case "skip": {
      const why = needsWhy(record) ? whyOf(record) : undefined;
      const changes = changesBy(record, item.event);
      // A change already names its hook.
      const who = why === undefined && changes.length > 0 ? [] : [[hook, why].filter(Boolean).join(": ")];
      return [...who, ...missingVariables(record), ...changes].join("; ");
    }
    case "approval":
      return [body.by === "nobody" ? "no person to ask" : "a person", whyOf(record)].filter(Boolean).join(": ");
    case "gap":
      return `${body.lost ?? "some"} records were lost`;
    case "late":
      return "the program continued before an objection or approval was recorded";
    case "call":
    case "unmatched":
      return "";
  }
}

function failed(run: JournalRecord): string {
  return [`! ${run.hook} ${run.outcome}`, whyOf(run)].filter(Boolean).join(": ");
}
