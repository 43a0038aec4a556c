import { join } from "node:path";
import { startsInlinePython } from "../../config/hooks/interpreters.ts";
import { expandVariables, placeVariables } from "../../config/values/variables.ts";
import { scrubEnvironment } from "../../process/scrubEnvironment.ts";
import type { HookRegistryEntry } from "../plan/hookRegistry.ts";

/** What a hook's variables depend on in addition to the hook itself. */
export interface EnvironmentFacts {
  readonly projectRoot: string;
  readonly sessionId: string;
  readonly workingDir: string;
  readonly passEnv: readonly string[];
  /** The variables of the event's session; undefined: those of this program. */
  readonly parent: Readonly<Record<string, string>> | undefined;
}

const HOOK_STATE = "HOOKLINE_HOOK_STATE";

interface Prepared {
  readonly facts: EnvironmentFacts;
  readonly env: Readonly<Record<string, string>>;
  readonly withheld: readonly string[];
}

/**
 * The variables of hooks: the program's variables at start (later code in this process cannot redirect a guard), without
 * credentials, plus facts about the event. Prepared once per hook: it is a measurable part of a hook's cost.
 */
export class HookEnvironment {
  readonly #parent: NodeJS.ProcessEnv;
  readonly #prepared = new WeakMap<HookRegistryEntry, Prepared>();
  readonly #hookState: (projectRoot: string) => string | undefined;
  readonly #stateFolders = new Map<string, string | undefined>();

  constructor(
    parent: NodeJS.ProcessEnv = process.env,
    hookState: (projectRoot: string) => string | undefined = () => undefined,
  ) {
    this.#parent = { ...parent };
    this.#hookState = hookState;
    // Do not inherit the variable of an outer hookline process.
    delete this.#parent[HOOK_STATE];
  }

  /** Returns one variable, credentials included: the caller decides who may have it. */
  variable(name: string): string | undefined {
    return this.#parent[name];
  }

  of(hook: HookRegistryEntry, facts: EnvironmentFacts): Prepared {
    const known = this.#prepared.get(hook);
    if (known && sameFacts(known.facts, facts)) return known;
    const prepared = this.#prepare(hook, facts, facts.parent ?? this.#parent, {
      ...placeVariables(facts.projectRoot, facts.workingDir),
      ...eventVariables(hook, facts),
    });
    this.#prepared.set(hook, prepared);
    return prepared;
  }

  /** A worker serves many events and sessions, so its variables name none; its input does. */
  ofWorker(hook: HookRegistryEntry, facts: EnvironmentFacts): Prepared {
    return this.#prepare(hook, facts, this.#parent, placeVariables(facts.projectRoot, facts.workingDir));
  }

  #prepare(
    hook: HookRegistryEntry,
    facts: EnvironmentFacts,
    parent: NodeJS.ProcessEnv,
    own: Readonly<Record<string, string>>,
  ): Prepared {
    const { env, withheld } = scrubEnvironment(parent, [...facts.passEnv, ...hook.config.passEnv]);
    const all = { ...env, ...safePath(hook), ...own, ...this.#stateVariables(facts) };
    const { family, env: added } = hook.config;
    return { facts, withheld, env: { ...all, ...(family === "gemini" ? expandVariables(added, all) : added) } };
  }

  /** Called when a hook is about to start: most programs that load hooks start none. */
  #stateVariables({ projectRoot }: EnvironmentFacts): Record<string, string> {
    if (!this.#stateFolders.has(projectRoot)) this.#stateFolders.set(projectRoot, this.#hookState(projectRoot));
    const folder = this.#stateFolders.get(projectRoot);
    // There are no plans here; this gives a script that stores files next to them a place.
    return folder === undefined ? {} : { [HOOK_STATE]: folder, GEMINI_PLANS_DIR: join(folder, "plans") };
  }
}

/** Hooks run in the project's folder, where a json.py would shadow Python's own module. */
function safePath({ config }: HookRegistryEntry): Record<string, string> {
  const command = config.target?.fields.command;
  return typeof command === "string" && startsInlinePython(command) ? { PYTHONSAFEPATH: "1" } : {};
}

function eventVariables({ eventName }: HookRegistryEntry, { sessionId }: EnvironmentFacts): Record<string, string> {
  return { HOOKLINE_SESSION_ID: sessionId, HOOKLINE_EVENT: eventName, GEMINI_SESSION_ID: sessionId };
}

function sameFacts(a: EnvironmentFacts, b: EnvironmentFacts): boolean {
  return (
    a.sessionId === b.sessionId &&
    a.workingDir === b.workingDir &&
    a.projectRoot === b.projectRoot &&
    a.passEnv === b.passEnv &&
    a.parent === b.parent
  );
}
