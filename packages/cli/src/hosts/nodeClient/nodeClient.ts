import { setTimeout as pause } from "node:timers/promises";
import type { HostAnswer } from "@hookline/engine/program";
import { runFolder } from "../../daemon/runFolder.ts";
import { findSocket } from "../../daemon/socketPlace.ts";
import { startDaemon } from "../../daemon/startDaemon.ts";
import type { CliOptions } from "../../terminal/command.ts";
import type { Io } from "../../terminal/io.ts";
import { type Exchange, exchange } from "./clientAnswer.ts";
import { type ClientCall, hasDeadlines, readClientCall, requestOf } from "./clientCall.ts";
import { withoutAnswer } from "./withoutAnswer.ts";

/** What the native client does, for machines without one. The home folder is part of the command, since a repository may have set HOME. */
export async function runNodeClient(io: Io, given: CliOptions): Promise<number> {
  const [homeDir = io.homeDir] = given.args;
  const call = readClientCall(io, given);
  const answer = hasDeadlines(call) ? answerTo(io, homeDir, call) : withoutAnswer(homeDir, call, NO_DEADLINES);
  const { exitCode, stdout, stderr } = await answer;
  io.stdout(stdout);
  io.stderr(stderr);
  // If the host keeps standard input open.
  setTimeout(() => process.exit(), EXIT_MS).unref();
  return exitCode;
}

const EXIT_MS = 300;
const NO_DEADLINES = "the command line has no valid --deadline and --ask-deadline in milliseconds";
const STDIN_LATE = "the payload did not end before the deadline";

async function answerTo(io: Io, homeDir: string, call: ClientCall): Promise<HostAnswer> {
  const leftMs = () => Math.max(0, call.deadlineMs - performance.now());
  const payload = await within(leftMs(), io.readStdin());
  if (payload === undefined) return withoutAnswer(homeDir, call, STDIN_LATE);
  const request = requestOf(call, payload);
  const ask = async (): Promise<Exchange> => {
    const socket = findSocket(runFolder(homeDir));
    const times = { leftMs: leftMs(), moreMs: call.askDeadlineMs - call.deadlineMs };
    return socket === undefined ? { kind: "absent" } : exchange(socket, request, times);
  };
  let result = await ask();
  if (result.kind === "absent") {
    const started = await within(
      leftMs(),
      startDaemon(homeDir).then(
        () => "",
        (error: unknown) => String(error),
      ),
    );
    if (started !== "") return withoutAnswer(homeDir, call, started ?? "no daemon listened before the deadline");
    result = await ask();
  }
  if (result.kind === "answered") return result.answer;
  if (result.kind === "absent") return withoutAnswer(homeDir, call, "no daemon runs");
  return withoutAnswer(homeDir, call, result.why, result.personIsAsked);
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  try {
    return await Promise.race([work, pause(ms, undefined, { signal: late.signal, ref: true })]);
  } finally {
    late.abort();
  }
}
