export const LOG_DECISIONS = ["allow", "ask", "block", "stop", "failed", "approved", "denied", "skipped"] as const;
export type LogDecision = (typeof LOG_DECISIONS)[number];

export interface LogFilter {
  readonly event?: string;
  /** If set, the items are the runs and skips of this hook. */
  readonly hook?: string;
  readonly decision?: LogDecision;
  /** Milliseconds since 1970. */
  readonly since?: number;
}
