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

/** The result of a hook's run: how it ended, whether it is healthy, and what it answered. */
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
  }

  with(changes: Partial<RunFacts>): HookExecutionResult {
    return new HookExecutionResult({ ...this, ...changes });
  }

  get hookConfig(): HookConfig {
    return hookConfigOf(this.hook);
  }

  /** The hook's output; undefined for a hook without streams, such as a function. */
  get stdout(): string | undefined {
    return "stdout" in this.ending ? this.ending.stdout : undefined;
  }

  get stderr(): string | undefined {
    return "stderr" in this.ending ? this.ending.stderr : undefined;
  }

  /** Undefined if no process exited by itself: a signal or a timeout is not an exit code. */
  get exitCode(): number | undefined {
    return this.ending.kind === "exited" ? this.ending.code : undefined;
  }

  get error(): Error | undefined {
    return this.failure && new Error(`Hook "${this.hook.entry.config.name}" ${this.failure.message}`);
  }
}
