import { z } from "zod";

/**
 * The kinds of rows; `skip`: a hook matched but did not run; `gap`: how many entries were lost; `late`: the program
 * continued after an objection or approval before it was recorded.
 */
export const RECORD_KINDS = ["event", "run", "skip", "approval", "call", "unmatched", "gap", "late"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

const hook = z.object({ source: z.string(), place: z.string().exactOptional(), type: z.string() });
const rewrite = z.object({
  path: z.array(z.string()),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  hook: z.string(),
});

/** Fields that are not queried on their own. All payloads are redacted and bounded. */
export const recordBody = z.object({
  reason: z.string().exactOptional(),
  /** The source of a hook. */
  hook: hook.exactOptional(),
  // of an event
  sequential: z.boolean().exactOptional(),
  success: z.boolean().exactOptional(),
  rewrites: z.array(rewrite).exactOptional(),
  /** By input field: a value that a hook removed is not kept, only its length in characters and a keyed digest. */
  originals: z.record(z.string(), z.object({ length: z.number(), digest: z.string() })).exactOptional(),
  // of an event or approval, and of a run whose input differs from its event's
  input: z.unknown().optional(),
  // of a run
  pass: z.string().exactOptional(),
  applied: z.boolean().exactOptional(),
  output: z.unknown().optional(),
  exitCode: z.number().exactOptional(),
  signal: z.string().exactOptional(),
  stdout: z.string().exactOptional(),
  stderr: z.string().exactOptional(),
  failure: z.string().exactOptional(),
  errorCode: z.string().exactOptional(),
  usageRecorded: z.boolean().exactOptional(),
  // of an event or a run
  notes: z.array(z.string()).exactOptional(),
  // of an approval
  by: z.string().exactOptional(),
  hooks: z.array(z.string()).exactOptional(),
  // of a call, or an approval
  callId: z.string().exactOptional(),
  what: z.string().exactOptional(),
  tokens: z.object({ input: z.number(), output: z.number() }).exactOptional(),
  // of unmatched events
  counts: z.record(z.string(), z.number()).exactOptional(),
  // of a gap
  lost: z.number().exactOptional(),
  /** A secret was removed from the input, so it cannot be replayed as it was. */
  redacted: z.boolean().exactOptional(),
  /** Something was too long to keep in full. */
  cut: z.boolean().exactOptional(),
});
export type RecordBody = z.infer<typeof recordBody>;

/** One row of the journal. */
export interface JournalRecord {
  /** Ascending in write order, across all programs. */
  readonly id: number;
  /** Start time in milliseconds since 1970. */
  readonly at: number;
  readonly kind: RecordKind;
  readonly session: string;
  readonly turn: number;
  /** Shared by an event and everything that belongs to it. */
  readonly eventId: string | undefined;
  /** The name of the event; "Approval" for an approval; undefined for a call. */
  readonly event: string | undefined;
  /** The subject of the event; for a call, the name of the tool or model. */
  readonly subject: string | undefined;
  /** The name of the hook, for a run or skip. */
  readonly hook: string | undefined;
  /**
   * Event: its decision (allow, ask, block, stop). Run: the same, failed or abandoned. Skip: "skipped". Approval:
   * approved or denied. Call: its status. Others: "".
   */
  readonly outcome: string;
  readonly durationUs: number;
  readonly body: RecordBody;
}
