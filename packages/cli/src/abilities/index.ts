/**
 * The Tool Runner as a library: `const { runner, close } = await openToolRunner({ workingDir, trust })`, then
 * `runner.createTask`, `runner.runTask` and `runner.run`.
 */
export { HooklineError } from "@hookline/engine";
export type { StatePlace } from "@hookline/journal";
export { DECLARATION_KINDS } from "../declarations/index.ts";
export { AbilityRegistry, type FoundAbility } from "./abilityRegistry.ts";
export type { AbilityResult } from "./abilityResult.ts";
export { type Caller, detectCaller, type InvocationSource } from "./caller.ts";
export { type OpenRunnerOptions, openToolRunner } from "./openToolRunner.ts";
export type { CreateOutcome, Refusal, RunOutcome } from "./outcome.ts";
export type { OpenRunner } from "./runnerOf.ts";
export type { AbilityInput, AbilityRef, Approval, Objection, Task, TaskStatus } from "./store/task.ts";
export { TaskStore } from "./store/taskStore.ts";
export { ToolRunner, type ToolRunnerOptions } from "./toolRunner.ts";
