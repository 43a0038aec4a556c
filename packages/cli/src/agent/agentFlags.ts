import { HooklineError } from "@hookline/engine";
import { limitTokensOf, oneOfProviders } from "../models/providers.ts";
import { IGNORE_BROKEN_OPTION } from "../project/unreadPolicy.ts";
import type { Option } from "../terminal/command.ts";
import type { Io } from "../terminal/io.ts";
import { oneOf, textIn } from "../terminal/optionValues.ts";
import { APPROVAL_MODES, type ApprovalMode } from "./approver.ts";

const DEFAULT_MODEL = "gemini-2.5-pro";

/** The common options of `run` and `chat`. */
export const AGENT_OPTIONS: readonly Option[] = [
  {
    flags: "--model <name>",
    description: `${oneOfProviders(({ usage }) => usage)}; default: $HOOKLINE_MODEL, or ${DEFAULT_MODEL}`,
  },
  { flags: "--cwd <folder>", description: "the folder to work in", completes: "folders" },
  {
    flags: "--approval-mode <mode>",
    description:
      "calls without a confirmation: default (reads), auto-edit (edits too), yolo (all); hooks can still ask",
    completes: APPROVAL_MODES,
  },
  { flags: "--resume <id>", description: "continue an earlier session" },
  { flags: "--record <file>", description: "record the model's answers for a replay", completes: "files" },
  { flags: "--requests <file>", description: "log every request to the model", completes: "files" },
  {
    flags: "--compress-at <tokens>",
    description: "compress longer conversations; default: 70 % of the model's context length",
  },
  { flags: "--trust-project", description: "trust the code of this project in its current state, for this run" },
  IGNORE_BROKEN_OPTION,
];

export interface AgentFlags {
  readonly model: string;
  readonly cwd: string;
  readonly approvalMode: ApprovalMode;
  readonly compressAtTokens: number;
  readonly trustProject: boolean;
  readonly ignoreBrokenSettings: boolean;
  readonly resume?: string;
  readonly record?: string;
  readonly requests?: string;
}

const FULL_SHARE = 0.7;

export function readAgentFlags(io: Io, options: Readonly<Record<string, unknown>>): AgentFlags {
  const model = textIn(options, "model") ?? (io.env.HOOKLINE_MODEL || DEFAULT_MODEL);
  const texts = ["resume", "record", "requests"].flatMap((name) => {
    const value = textIn(options, name);
    return value === undefined ? [] : [[name, value]];
  });
  return {
    model,
    cwd: textIn(options, "cwd") ?? io.cwd,
    approvalMode: oneOf(textIn(options, "approvalMode") ?? "default", APPROVAL_MODES, "--approval-mode"),
    compressAtTokens: readTokens(textIn(options, "compressAt")) ?? fullAt(model),
    trustProject: options.trustProject === true,
    ignoreBrokenSettings: options.ignoreBrokenSettings === true,
    ...Object.fromEntries(texts),
  };
}

function readTokens(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new HooklineError({
    code: "OPTION_INVALID",
    what: `--compress-at must be a positive integer, got ${JSON.stringify(text)}.`,
  });
}

function fullAt(model: string): number {
  return Math.floor(limitTokensOf(model) * FULL_SHARE);
}
