import type { Decision, Pass, Rewrite } from "@hookline/engine/program";

/** What the program sends to the journal: plain data, because it goes to another thread. */
export type Entry = EventEntry | RunEntry | ApprovalEntry | CallEntry | UnmatchedEntry | LateEntry;

interface When {
  /** Start time in milliseconds since 1970. */
  readonly at: number;
  readonly session: string;
  /** The turn of the session, from 1; 0 outside turns. */
  readonly turn: number;
}

/** A hook and where it is declared. */
export interface HookRef {
  readonly name: string;
  /** runtime, project, user, system, extensions */
  readonly source: string;
  /** file:line:column, if it comes from a file */
  readonly place?: string;
  /** command, worker, plugin, http, runtime */
  readonly type: string;
}

/** Only the owner of the journal's key can recognise an original by its digest. */
export interface Original {
  readonly length: number;
  readonly digest: string;
}

/** A matched event, recorded when every deciding hook has answered. */
export interface EventEntry extends When {
  readonly kind: "event";
  readonly eventId: string;
  readonly event: string;
  readonly subject?: string;
  readonly sequential: boolean;
  readonly decision: Decision;
  readonly reason?: string;
  /** Whether the hooks worked; a block is a success. */
  readonly success: boolean;
  readonly durationMs: number;
  readonly input: unknown;
  /** By input field: what the journal keeps of a value that hooks removed. */
  readonly originals?: Readonly<Record<string, Original>>;
  readonly rewrites: readonly Rewrite[];
  readonly notes: readonly string[];
  readonly skipped: readonly { readonly hook: HookRef; readonly reason: string }[];
  readonly runs: readonly RunEntry[];
}

/** The outcome of a run: the hook's decision, a failure, or abandoned at the end of the program. */
export type RunOutcome = Decision | "failed" | "abandoned";

/** One run of one hook. Recorded with its event, or on its own if it ended later. */
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
  /** False for observing and non-blocking hooks: their answers have no effect. */
  readonly applied: boolean;
  /** The input this hook saw, if it differs from the event's input. */
  readonly input?: unknown;
  /** What a function returned, or an endpoint or worker answered. */
  readonly output?: unknown;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  /** The engine's failure kind: timedOut, exitCode, … */
  readonly failure?: string;
  /** The error code that the hook reported. */
  readonly errorCode?: string;
  /** The hook reports that it recorded the use of an ability. */
  readonly usageRecorded?: boolean;
  readonly notes: readonly string[];
}

/** The result of a question to a person. */
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

/** A tool run, a model request, or a whole turn: shown between the hooks in a trace. */
export interface CallEntry extends When {
  readonly kind: "call";
  readonly what: "tool" | "model" | "turn";
  /** The name of the tool or model. */
  readonly subject: string;
  /** success, error, blocked, denied, cancelled, … */
  readonly status: string;
  readonly durationMs: number;
  readonly callId?: string;
  /** Tokens of a model request. */
  readonly tokens?: { readonly input: number; readonly output: number };
}

/** Number of events per name that no hook matched since the last entry of this kind. */
export interface UnmatchedEntry extends When {
  readonly kind: "unmatched";
  readonly counts: Readonly<Record<string, number>>;
}

/** The program continued after an objection or approval before it was recorded. */
export interface LateEntry extends When {
  readonly kind: "late";
}
