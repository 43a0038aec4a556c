/** `hooksConfig` keys other than the switches. */
export interface EngineOptions {
  readonly maxParallel: number;
  readonly killGraceMs: number;
  readonly outputLimitBytes: number;
  readonly workerIdleMs: number;
  readonly passEnv: readonly string[];
  readonly allowSkipsConfirmation: boolean;
  readonly httpAllowHosts: readonly string[];
  /** Where a program that keeps state keeps it, instead of the user's folder; the engine only reads the setting. */
  readonly stateDir?: string;
  /** What is kept of what happens, by a program that keeps it; the engine only reads the setting. */
  readonly journal: JournalOptions;
}

export interface JournalOptions {
  readonly enabled: boolean;
  /** Older records are removed. */
  readonly maxAgeMs: number;
  /** Of the file; the oldest records make room. */
  readonly maxBytes: number;
  /** Of one payload: an input, an output, a text; 0: nothing of any is kept. */
  readonly payloadBytes: number;
  /** Whether texts are kept that hooks rewrote or withheld. */
  readonly originals: boolean;
  /** Names of JSON fields whose values are not written down, besides those that everybody takes for secrets. */
  readonly redactKeys: readonly string[];
  /** What matches is not written down. */
  readonly redactPatterns: readonly string[];
}

export const DEFAULT_OPTIONS: EngineOptions = {
  maxParallel: 8,
  killGraceMs: 2_000,
  outputLimitBytes: 1024 * 1024,
  workerIdleMs: 300_000,
  passEnv: [],
  allowSkipsConfirmation: false,
  httpAllowHosts: [],
  journal: {
    enabled: true,
    maxAgeMs: 30 * 24 * 3_600_000,
    maxBytes: 1024 ** 3,
    payloadBytes: 64 * 1024,
    originals: false,
    redactKeys: [],
    redactPatterns: [],
  },
};
