import { z } from "zod";

/**
 * The kinds of rows; `skip` is a hook that matched and was not run, `gap` says how many entries were lost, `late` that the program went
 * on after an objection or an approval before it was kept.
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

/** Everything that is not asked for by itself. All payloads are redacted and bounded. */
export const recordBody = z.object({
  reason: z.string().exactOptional(),
  /** Of a hook: where it comes from. */
  hook: hook.exactOptional(),
  // of an event
  sequential: z.boolean().exactOptional(),
  success: z.boolean().exactOptional(),
  rewrites: z.array(rewrite).exactOptional(),
  /** By field of the input: what a hook took out is not kept, only its length in characters and a keyed digest. */
  originals: z.record(z.string(), z.object({ length: z.number(), digest: z.string() })).exactOptional(),
  // of an event, an approval, and of a run that saw something else than its event's input
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
  /** Something secret was taken out of the input, so that it cannot be replayed as it was. */
  redacted: z.boolean().exactOptional(),
  /** Something was too long to be kept whole. */
  cut: z.boolean().exactOptional(),
});
export type RecordBody = z.infer<typeof recordBody>;

/** One row of the journal. */
export interface JournalRecord {
  /** In the order in which they were written, across all programs. */
  readonly id: number;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly kind: RecordKind;
  readonly session: string;
  readonly turn: number;
  /** Of an event and everything that belongs to it. */
  readonly eventId: string | undefined;
  /** The event's name; of an approval "Approval"; of a call undefined. */
  readonly event: string | undefined;
  /** What the event is about; of a call the tool's or model's name. */
  readonly subject: string | undefined;
  /** The name of the hook, of a run or a skip. */
  readonly hook: string | undefined;
  /**
   * Of an event its decision (allow, ask, block, stop); of a run that, or failed, or abandoned; of a skip "skipped"; of an approval
   * approved or denied; of a call its status; of the others "".
   */
  readonly outcome: string;
  readonly durationUs: number;
  readonly body: RecordBody;
}
