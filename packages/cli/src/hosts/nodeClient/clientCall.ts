import { readFileSync } from "node:fs";
import { MAX_DEADLINE_MS } from "../../daemon/requestHead.ts";
import { lengthPrefix, MAGIC } from "../../daemon/wire.ts";
import type { CliOptions } from "../../terminal/command.ts";
import type { Io } from "../../terminal/io.ts";
import { textIn } from "../../terminal/optionValues.ts";

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

export function readClientCall({ cwd, env: own }: Io, { args, options }: CliOptions): ClientCall {
  const [, host = "", event = ""] = args;
  const deadlineMs = msIn(options, "deadline");
  const askDeadlineMs = Math.max(deadlineMs, msIn(options, "askDeadline"));
  const from = textIn(options, "envFrom");
  const env = from === undefined ? own : environmentFrom(Number(from));
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
  return Buffer.concat([Buffer.from(MAGIC), ...blocks.flatMap((block) => [lengthPrefix(block.length), block])]);
}

/** The script that starts this process keeps the agent's variables from Node, and hands them over here. */
function environmentFrom(descriptor: number): Io["env"] {
  const text = Buffer.from(readFileSync(descriptor, "latin1"), "base64").toString("utf8");
  const entries = text.split("\0").filter((entry) => entry.includes("="));
  return Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s, 2)));
}

function msIn(options: CliOptions["options"], name: string): number {
  const text = textIn(options, name) ?? "";
  return /^\d{1,8}$/.test(text) && Number(text) <= MAX_DEADLINE_MS ? Number(text) : Number.NaN;
}
