import { DEFAULT_OPTIONS, type JournalOptions } from "../values/options.ts";

/** The journal settings of one file, or of several combined. */
export interface JournalSetting extends Partial<JournalOptions> {
  /** A setting that redacts something cannot be read. */
  readonly isUnsure?: boolean;
}

/** Added to a message when it is unknown what the settings wanted redacted. */
export const UNSURE = "Until this is fixed, the journal keeps no input, output or reason";

/** The stronger setting wins, field by field; redactions of both add up. */
export function journalOver(weaker: JournalSetting, stronger: JournalSetting): JournalSetting {
  return {
    ...weaker,
    ...stronger,
    redactKeys: union(weaker.redactKeys, stronger.redactKeys),
    redactPatterns: union(weaker.redactPatterns, stronger.redactPatterns),
    isUnsure: weaker.isUnsure === true || stronger.isUnsure === true,
  };
}

/** Fills in the defaults. */
export function journalOptions({ isUnsure, ...said }: JournalSetting): JournalOptions {
  return { ...DEFAULT_OPTIONS.journal, ...said, ...(isUnsure ? { payloadBytes: 0 } : {}) };
}

function union(some: readonly string[] = [], more: readonly string[] = []): readonly string[] {
  return [...new Set([...some, ...more])];
}
