import { DEFAULT_OPTIONS, type JournalOptions } from "../values/options.ts";

/** What one settings file, or several together, say about the journal. */
export interface JournalSetting extends Partial<JournalOptions> {
  /** Something was to be kept out of the journal, and it cannot be read what. */
  readonly isUnsure?: boolean;
}

/** What a message says of a mistake that leaves it open what must not be written down. */
export const UNSURE = "Until that is mended, the journal keeps no input, output or reason";

/** The stronger one wins, field by field; what either of them wants hidden is hidden. */
export function journalOver(weaker: JournalSetting, stronger: JournalSetting): JournalSetting {
  return {
    ...weaker,
    ...stronger,
    redactKeys: union(weaker.redactKeys, stronger.redactKeys),
    redactPatterns: union(weaker.redactPatterns, stronger.redactPatterns),
    isUnsure: weaker.isUnsure === true || stronger.isUnsure === true,
  };
}

/** What nobody says keeps its default. */
export function journalOptions({ isUnsure, ...said }: JournalSetting): JournalOptions {
  return { ...DEFAULT_OPTIONS.journal, ...said, ...(isUnsure ? { payloadBytes: 0 } : {}) };
}

function union(some: readonly string[] = [], more: readonly string[] = []): readonly string[] {
  return [...new Set([...some, ...more])];
}
