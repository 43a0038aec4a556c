import { scrubEnvironment } from "../process/scrubEnvironment.ts";
import type { HookRegistryEntry } from "./hookRegistry.ts";

/** What a hook's variables depend on besides the hook itself. */
export interface EnvironmentFacts {
  readonly projectRoot: string;
  readonly sessionId: string;
  readonly workingDir: string;
  readonly passEnv: readonly string[];
}

interface Prepared {
  readonly facts: EnvironmentFacts;
  readonly env: Readonly<Record<string, string>>;
  readonly withheld: readonly string[];
}

/**
 * The variables of hooks: those of the program at start (what runs later in this process cannot redirect a guard), less
 * credentials, plus where and what for. Prepared once per hook: it is a measurable part of what a hook costs.
 */
export class HookEnvironment {
  readonly #parent: NodeJS.ProcessEnv = { ...process.env };
  readonly #prepared = new WeakMap<HookRegistryEntry, Prepared>();

  of(hook: HookRegistryEntry, facts: EnvironmentFacts): Prepared {
    const known = this.#prepared.get(hook);
    if (known && sameFacts(known.facts, facts)) return known;
    const { env, withheld } = scrubEnvironment(this.#parent, [...facts.passEnv, ...hook.config.passEnv]);
    const prepared = { facts, withheld, env: { ...env, ...eventVariables(hook, facts), ...hook.config.env } };
    this.#prepared.set(hook, prepared);
    return prepared;
  }
}

/** Values reach a command as environment only; they are never pasted into shell text. */
function eventVariables({ eventName }: HookRegistryEntry, facts: EnvironmentFacts): Record<string, string> {
  const { projectRoot, sessionId, workingDir } = facts;
  return {
    HOOKLINE_PROJECT_DIR: projectRoot,
    HOOKLINE_SESSION_ID: sessionId,
    HOOKLINE_EVENT: eventName,
    GEMINI_PROJECT_DIR: projectRoot,
    GEMINI_CWD: workingDir,
    GEMINI_SESSION_ID: sessionId,
    CLAUDE_PROJECT_DIR: projectRoot,
  };
}

function sameFacts(a: EnvironmentFacts, b: EnvironmentFacts): boolean {
  return (
    a.sessionId === b.sessionId &&
    a.workingDir === b.workingDir &&
    a.projectRoot === b.projectRoot &&
    a.passEnv === b.passEnv
  );
}
