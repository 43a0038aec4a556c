import { isAbsolute } from "node:path";
import { z } from "zod";
import { durationSchema, readDuration } from "../values/duration.ts";
import type { Located } from "../values/located.ts";
import type { EngineOptions } from "../values/options.ts";
import type { Report } from "../values/problem.ts";
import { readSize, sizeSchema } from "../values/size.ts";
import { journalSchema, readJournal } from "./journalOption.ts";
import type { JournalSetting } from "./journalSetting.ts";

/** The options that one file sets. Several files may each set a part of the journal options. */
export interface SetOptions extends Partial<Omit<EngineOptions, "journal">> {
  readonly journal?: JournalSetting;
}

type Reading = { readonly set: SetOptions; readonly doubt?: string } | { readonly error: string };

interface OptionSpec {
  /** Options with parts read and report each part on its own. */
  readonly read: (value: unknown, node: Located, report: Report) => Reading;
  /** Only user and system files may set it: it decides what other people's code may do. */
  readonly guarded: boolean;
  /** For editors. */
  readonly schema: () => z.ZodType;
}

/** With a smaller limit, a project could make a guard's answer too long to be read. */
const SMALLEST_OUTPUT_BYTES = 64 * 1024;
const MOST_PARALLEL = 256;
const names = z.array(z.string().min(1));

export const OPTION_SPECS: Readonly<Record<string, OptionSpec>> = {
  maxParallel: {
    read: (value) => {
      const isCount = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MOST_PARALLEL;
      return isCount ? { set: { maxParallel: value } } : { error: "is not a number from 1 to 256; write 8" };
    },
    guarded: false,
    schema: () => z.int().min(1).max(MOST_PARALLEL).describe("how many hooks of one event run at once; default 8"),
  },
  killGrace: {
    read: (value) => timed(value, (ms) => ({ killGraceMs: ms })),
    guarded: false,
    schema: () => durationSchema.describe('how long a hook has between SIGTERM and SIGKILL; default "2s"'),
  },
  outputLimit: {
    read: (value) => {
      const size = readSize(value);
      if ("error" in size) return size;
      if (size.bytes < SMALLEST_OUTPUT_BYTES) return { error: 'is too small for an answer; write "64KiB" or more' };
      return { set: { outputLimitBytes: size.bytes } };
    },
    guarded: false,
    schema: () => sizeSchema.describe('how much of stdout and stderr is kept, each; default "1MiB"'),
  },
  workerIdle: {
    read: (value) => timed(value, (ms) => ({ workerIdleMs: ms })),
    guarded: false,
    schema: () => durationSchema.describe('how long an idle worker is kept; default "5m"'),
  },
  passEnv: {
    read: (value) => named(value, (passEnv) => ({ passEnv })),
    guarded: true,
    schema: () => names.describe("names of withheld variables that every hook may have; user and system files only"),
  },
  allowSkipsConfirmation: {
    read: (value) =>
      typeof value === "boolean" ? { set: { allowSkipsConfirmation: value } } : { error: "is neither true nor false" },
    guarded: true,
    schema: () =>
      z.boolean().describe("whether a hook's \"allow\" skips the tool's own confirmation; user and system files only"),
  },
  asks: {
    read: (value) =>
      value === "host" || value === "hookline"
        ? { set: { asks: value } }
        : { error: 'is neither "host" nor "hookline"' },
    guarded: true,
    schema: () =>
      z
        .enum(["host", "hookline"])
        .describe(
          'where another agent can put a question to a person: "hookline" has it answered with `hookline approve` instead; default "host"; user and system files only',
        ),
  },
  stateDir: {
    read: (value) =>
      typeof value === "string" && isAbsolute(value)
        ? { set: { stateDir: value } }
        : { error: "is not an absolute path" },
    guarded: true,
    schema: () =>
      z
        .string()
        .describe(
          "where journals, tasks and transcripts are kept; default ~/.hookline/projects; user and system files only",
        ),
  },
  http: {
    read: (value) => {
      const parsed = z.strictObject({ allowHosts: names.optional() }).safeParse(value);
      if (!parsed.success) return { error: 'cannot be read; write { "allowHosts": ["example.org"] }' };
      return { set: parsed.data.allowHosts === undefined ? {} : { httpAllowHosts: parsed.data.allowHosts } };
    },
    guarded: true,
    schema: () =>
      z
        .object({ allowHosts: names.optional().describe("hosts that http hooks may call without https") })
        .describe("http hooks; user and system files only"),
  },
  journal: {
    read: (_, node, report) => ({ set: { journal: readJournal(node, report) } }),
    guarded: true,
    schema: () => journalSchema,
  },
};

function timed(value: unknown, set: (ms: number) => SetOptions): Reading {
  const duration = readDuration(value);
  return "error" in duration
    ? duration
    : { set: set(duration.ms), ...(duration.doubt ? { doubt: duration.doubt } : {}) };
}

function named(value: unknown, set: (names: readonly string[]) => SetOptions): Reading {
  const isList = Array.isArray(value) && value.every((name) => typeof name === "string" && name !== "");
  return isList ? { set: set(value) } : { error: 'is not a list of names; write ["NAME"]' };
}
