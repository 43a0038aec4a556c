import { HooklineError } from "@hookline/engine";
import type { Place } from "@hookline/engine/program";

/** Every code of the journal, with what to do next. docs/reference/errors.md is tested against this table. */
export const JOURNAL_ADVICE = {
  JOURNAL_UNUSABLE: "`hookline doctor` reports what is wrong with the journal and repairs what it can.",
  RECORD_UNKNOWN: "`hookline log` lists the records with their ids.",
} as const;

type JournalCode = keyof typeof JOURNAL_ADVICE;

interface JournalFacts {
  readonly code: JournalCode;
  readonly what: string;
  readonly where?: Place;
  readonly next?: string | undefined;
  readonly cause?: unknown;
}

/** A person's mistake, under a code of the journal. */
export class JournalError extends HooklineError {
  declare readonly code: JournalCode;

  constructor({ next, ...facts }: JournalFacts) {
    super({ ...facts, next: next ?? JOURNAL_ADVICE[facts.code] });
  }
}
