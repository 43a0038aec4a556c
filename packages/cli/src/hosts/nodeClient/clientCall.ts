import type { CliOptions } from "../../terminal/command.ts";
import type { Io } from "../../terminal/io.ts";
import { textIn } from "../../terminal/optionValues.ts";

/** A day, as for the native client. */
const MOST_MS = 86_400_000;

/** A host's call of the client, without its payload. */
export interface ClientCall {
  readonly host: string;
  readonly event: string;
  readonly cwd: string;
  /** From the start of this process. */
  readonly deadlineMs: number;
  readonly askDeadlineMs: number;
  readonly trustProject: boolean;
  readonly env: Io["env"];
}

export function readClientCall({ cwd, env }: Io, { args, options }: CliOptions): ClientCall {
  const [, host = "", event = ""] = args;
  const deadlineMs = msIn(options, "deadline");
  const askDeadlineMs = Math.max(deadlineMs, msIn(options, "askDeadline"));
  return { host, event, cwd, deadlineMs, askDeadlineMs, trustProject: options.trustProject === true, env };
}

/** A call without them has no answer in time. */
export function hasDeadlines({ deadlineMs, askDeadlineMs }: ClientCall): boolean {
  return !Number.isNaN(deadlineMs) && !Number.isNaN(askDeadlineMs);
}

/** The request as the native client sends it: docs/decisions/021-the-client.md. */
export function requestOf(call: ClientCall, payload: string): Buffer {
  const { host, event, cwd, deadlineMs, askDeadlineMs, trustProject, env } = call;
  const fields = { version: 1, host, event, cwd, deadline: deadlineMs, "ask-deadline": askDeadlineMs };
  const entries = Object.entries(env).filter(([name]) => !name.startsWith("HOOKLINE_"));
  const head = [
    ...Object.entries(fields).map(([name, value]) => `${name}=${value}`),
    `trust-project=${trustProject ? 1 : 0}`,
    "env",
    ...entries.map(([name, value]) => `${name}=${value}`),
  ];
  const blocks = [head.map((field) => `${field}\0`).join(""), payload].map((text) => Buffer.from(text));
  return Buffer.concat([Buffer.from("HKL1\n"), ...blocks.flatMap((block) => [lengthOf(block), block])]);
}

function lengthOf(block: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(block.length);
  return bytes;
}

function msIn(options: CliOptions["options"], name: string): number {
  const text = textIn(options, name) ?? "";
  return /^\d{1,8}$/.test(text) && Number(text) <= MOST_MS ? Number(text) : Number.NaN;
}
