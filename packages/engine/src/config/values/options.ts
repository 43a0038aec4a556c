/** `hooksConfig` keys other than the switches. */
export interface EngineOptions {
  readonly maxParallel: number;
  readonly killGraceMs: number;
  readonly outputLimitBytes: number;
  readonly workerIdleMs: number;
  readonly passEnv: readonly string[];
  readonly allowSkipsConfirmation: boolean;
  readonly httpAllowHosts: readonly string[];
  /** Who puts a hook's question where another agent could: that agent, or the program. The engine only reads the setting. */
  readonly asks: "host" | "hookline";
  /** Where the program keeps its state, instead of the user's folder; the engine only reads the setting. */
  readonly stateDir?: string;
  /** What the program's journal records; the engine only reads the setting. */
  readonly journal: JournalOptions;
}

export interface JournalOptions {
  readonly enabled: boolean;
  /** Older records are removed. */
  readonly maxAgeMs: number;
  /** Maximum file size; the oldest records are removed first. */
  readonly maxBytes: number;
  /** Maximum size of one payload (an input, an output, a text); 0 keeps none. */
  readonly payloadBytes: number;
  /** Whether to keep texts that hooks rewrote or withheld. */
  readonly originals: boolean;
  /** Names of JSON fields whose values are redacted, in addition to the usual names of secrets. */
  readonly redactKeys: readonly string[];
  /** Text that matches is redacted. */
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
  asks: "host",
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
