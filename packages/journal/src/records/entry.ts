import type { Decision, Pass, Rewrite } from "@hookline/engine/program";

/** What the program hands over to be written down: plain data, since it goes to another thread. */
export type Entry = EventEntry | RunEntry | ApprovalEntry | CallEntry | UnmatchedEntry | LateEntry;

interface When {
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly session: string;
  /** The turn of the session, from 1; 0 outside of any. */
  readonly turn: number;
}

/** Which hook, and where it is declared. */
export interface HookRef {
  readonly name: string;
  /** runtime, project, user, system, extensions */
  readonly source: string;
  /** file:line:column, where there is a file */
  readonly place?: string;
  /** command, worker, plugin, http, runtime */
  readonly type: string;
}

/** By the digest, only the owner of the journal's key can recognise it. */
export interface Original {
  readonly length: number;
  readonly digest: string;
}

/** A matched event, when all who may decide have answered. */
export interface EventEntry extends When {
  readonly kind: "event";
  readonly eventId: string;
  readonly event: string;
  readonly subject?: string;
  readonly sequential: boolean;
  readonly decision: Decision;
  readonly reason?: string;
  /** The hooks' health; a block is healthy. */
  readonly success: boolean;
  readonly durationMs: number;
  readonly input: unknown;
  /** By field of the input: what is kept of an original that hooks took out. */
  readonly originals?: Readonly<Record<string, Original>>;
  readonly rewrites: readonly Rewrite[];
  readonly notes: readonly string[];
  readonly skipped: readonly { readonly hook: HookRef; readonly reason: string }[];
  readonly runs: readonly RunEntry[];
}

/** What a run of a hook came to, in one word: its decision; that it failed; that it was cut off at the end of the program. */
export type RunOutcome = Decision | "failed" | "abandoned";

/** One run of one hook. With its event, or alone if it ended after it. */
export interface RunEntry extends When {
  readonly kind: "run";
  readonly eventId: string;
  readonly event: string;
  readonly subject?: string;
  readonly hook: HookRef;
  readonly pass: Pass;
  readonly outcome: RunOutcome;
  readonly reason?: string;
  readonly durationMs: number;
  /** False for hooks that observe or do not block: what they answer changes nothing. */
  readonly applied: boolean;
  /** As this hook saw it, where that is not the event's own input. */
  readonly input?: unknown;
  /** What a function returned, or an endpoint or a worker answered. */
  readonly output?: unknown;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  /** Why it failed, in the engine's word: timedOut, exitCode, … */
  readonly failure?: string;
  /** The hook's own name for the error that it reported. */
  readonly errorCode?: string;
  /** The hook says that it wrote down the use of an ability. */
  readonly usageRecorded?: boolean;
  readonly notes: readonly string[];
}

/** What became of a question to a person. */
export interface ApprovalEntry extends When {
  readonly kind: "approval";
  readonly callId: string;
  readonly subject: string;
  readonly approved: boolean;
  readonly reason?: string;
  readonly by: "person" | "nobody";
  readonly hooks: readonly string[];
  readonly durationMs: number;
  readonly input: unknown;
}

/** A tool that ran, a request to the model, or a whole turn: what lies between the hooks in a trace. */
export interface CallEntry extends When {
  readonly kind: "call";
  readonly what: "tool" | "model" | "turn";
  /** The tool's name, or the model's. */
  readonly subject: string;
  /** success, error, blocked, denied, cancelled, … */
  readonly status: string;
  readonly durationMs: number;
  readonly callId?: string;
  /** Of a model: how many it took and gave. */
  readonly tokens?: { readonly input: number; readonly output: number };
}

/** Events that no hook matched since the last time that this was told, by name. */
export interface UnmatchedEntry extends When {
  readonly kind: "unmatched";
  readonly counts: Readonly<Record<string, number>>;
}

/** The program went on after an objection or an approval, since it was not kept in time. */
export interface LateEntry extends When {
  readonly kind: "late";
}
