import type { Answer, Failure } from "./answer/answer.ts";
import type { Ending } from "./answer/ending.ts";
import { type HookConfig, hookConfigOf } from "./hookConfig.ts";
import type { PlannedHook } from "./plan/hookPlanner.ts";
import type { Pass } from "./record/recorder.ts";
import type { Fields } from "./run/rewrites.ts";

type RunFacts = Pick<
  HookExecutionResult,
  "hook" | "eventName" | "pass" | "success" | "ending" | "failure" | "answer" | "output" | "notes" | "duration"
>;

/**
 * The result of a hook's run: how it ended, whether it is healthy, and what it answered. All of it is in fields of its own:
 * a copy, by spreading or as JSON, is a result too.
 */
export class HookExecutionResult {
  readonly hook: PlannedHook;
  readonly eventName: string;
  readonly pass: Pass;
  /** The hook's health; a block is healthy. */
  readonly success: boolean;
  readonly ending: Ending;
  readonly failure: Failure | undefined;
  readonly answer: Answer | undefined;
  /** The hook's own answer, if it is one object that counts unchanged. */
  readonly output: Fields | undefined;
  readonly notes: readonly string[];
  readonly duration: number;
  readonly hookConfig: HookConfig;
  /** The hook's output; undefined for a hook without streams, such as a function. */
  readonly stdout: string | undefined;
  readonly stderr: string | undefined;
  /** Undefined if no process exited by itself: a signal or a timeout is not an exit code. */
  readonly exitCode: number | undefined;
  readonly error: Error | undefined;

  constructor(facts: RunFacts) {
    this.hook = facts.hook;
    this.eventName = facts.eventName;
    this.pass = facts.pass;
    this.success = facts.success;
    this.ending = facts.ending;
    this.failure = facts.failure;
    this.answer = facts.answer;
    this.output = facts.output;
    this.notes = facts.notes;
    this.duration = facts.duration;
    const { hook, ending, failure } = facts;
    this.hookConfig = hookConfigOf(hook);
    this.stdout = "stdout" in ending ? ending.stdout : undefined;
    this.stderr = "stderr" in ending ? ending.stderr : undefined;
    this.exitCode = ending.kind === "exited" ? ending.code : undefined;
    this.error = failure && errorOf(`Hook "${hook.entry.config.name}" ${failure.message}`);
  }

  with(changes: Partial<RunFacts>): HookExecutionResult {
    return new HookExecutionResult({ ...this, ...changes });
  }
}

/** JSON leaves out the message of an error, unless it is enumerable. */
function errorOf(message: string): Error {
  return Object.defineProperty(new Error(message), "message", { value: message, enumerable: true });
}
