import type { AgentEvent } from "../agent/agentEvent.ts";
import type { RunOutcome, RunOutput } from "../agent/output/runOutput.ts";
import { colours } from "../terminal/colour.ts";
import { durationText } from "../terminal/duration.ts";
import type { Io } from "../terminal/io.ts";
import { counted } from "../terminal/table.ts";
import { pauseView, type Row, rowView } from "./row.ts";
import { callRow, type EventOf, hookRow, noteRow, resultRow, rewrittenRow, said, sentBackRow } from "./rows.ts";

/** Fallback for an unknown terminal width; longer lines than `WIDEST` are hard to read. */
const USUAL_WIDTH = 80;
const WIDEST = 100;

interface Shown {
  readonly prompt: string;
  /** Final lines, shown on success. */
  readonly nextSteps: readonly string[];
}

/** Shows a session live, line by line, for first-time users. */
export class Timeline implements RunOutput {
  readonly streams = false;
  readonly #io: Io;
  readonly #width: number;
  readonly #nextSteps: readonly string[];
  readonly #startedAt = performance.now();
  /** Hook runs since the last row; whether one of them changed something is known later. */
  #untold: EventOf<"hook">[] = [];
  #call: EventOf<"toolCall"> | undefined;
  #last: { readonly row: Row; readonly opens: boolean } | undefined;

  constructor(io: Io, { prompt, nextSteps }: Shown) {
    this.#io = io;
    this.#width = Math.min(io.columns || USUAL_WIDTH, WIDEST);
    this.#nextSteps = nextSteps;
    const { bold, dim } = colours(io);
    io.stdout(`\n${bold("hookline demo")}  ${dim("The model is a recording; hooks, tools and files are real.")}\n\n`);
    this.#tell(said("you", prompt));
  }

  readonly observe = (event: AgentEvent): void => {
    const row = this.#rowOf(event);
    if (row) this.#tell(row);
    else if (event.type === "hook") this.#untold.push(event);
  };

  answered(): void {}

  ended({ end, hooks }: RunOutcome): void {
    const { bold, dim, green, red, yellow } = colours(this.#io);
    const took = durationText(performance.now() - this.#startedAt);
    const heads = {
      finished: green("✓ finished"),
      stopped: red("■ stopped"),
      cancelled: yellow("■ interrupted"),
      failed: red("✗ failed"),
    };
    const names = new Set(hooks.map(({ hook }) => hook));
    const spent = durationText(hooks.reduce((sum, { durationMs }) => sum + durationMs, 0));
    const ran = `${counted(names.size, "hook")} ran ${counted(hooks.length, "time")} and took ${spent}`;
    this.#io.stdout(`\n${bold(heads[end.kind])} after ${took}. ${ran};\n`);
    this.#io.stdout(dim("runs that changed nothing are not shown.\n"));
    if (end.kind === "finished") this.#io.stdout(`\n${this.#nextSteps.join("\n")}\n`);
  }

  #rowOf(event: AgentEvent): Row | undefined {
    switch (event.type) {
      case "hook":
        return hookRow(event);
      case "rewritten": {
        const run = this.#untold.find(({ report }) => report.hook === event.hook);
        return rewrittenRow(event, run, this.#call);
      }
      case "answer":
        return said("agent", event.text);
      case "toolCall":
        this.#call = event;
        return callRow(event);
      case "toolResult":
        return resultRow(event);
      case "sentBack":
        return sentBackRow();
      case "notice":
        return noteRow(event.text);
      case "retry":
        return noteRow(event.reason);
      case "retracted":
        return noteRow(event.why);
      case "text":
      case "thought":
      case "toolOutput":
      case "compressed":
        return undefined;
    }
  }

  #tell(row: Row): void {
    const opens = this.#opensStep(row);
    if (opens) this.#io.stdout(`${pauseView(this.#io)}\n`);
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    this.#io.stdout(`${rowView(row, seconds, { io: this.#io, width: this.#width }).join("\n")}\n`);
    this.#untold = [];
    this.#last = { row, opens };
  }

  /** Whether this row starts a new step of the agent. Hooks that inspect the step come before it. */
  #opensStep(row: Row): boolean {
    if (!this.#last || row.goesOn) return false;
    const { row: last, opens } = this.#last;
    if (row.who === "hook") return last.goesOn === true;
    return row.who === "agent" && !(last.who === "hook" && opens);
  }
}
