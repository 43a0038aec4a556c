import { sep } from "node:path";
import type { HookSystem, Recorder } from "@hookline/engine";
import type { HookDeclaration, LoadedSettings } from "@hookline/engine/program";
import { type Fired, FireRecords, fireEvent } from "../fire/fireEvent.ts";
import { movedHooks } from "../sandbox/movedHooks.ts";
import { openSettings, readProjectSettings } from "../sandbox/projectSettings.ts";
import { Relocation } from "../sandbox/relocation.ts";
import { withVariables } from "../sandbox/withVariables.ts";
import { Interrupted } from "../terminal/exitCode.ts";
import type { TestCase } from "./readHooktest.ts";

type Variables = TestCase["env"];

/** The folder that hooks run in, and the project that it is or is a copy of. */
export interface Site {
  readonly root: string;
  readonly projectRoot: string;
}

interface Opened {
  readonly system: HookSystem;
  /** The records of the running case; cases run in sequence. */
  records: FireRecords;
}

/**
 * The project's hooks in a folder, without those of the user or the system, so that a test has the same result everywhere. Settings
 * and trust are read before the first case: what a case then writes into them starts no code.
 */
export class TestHooks {
  /** All hooks of the project, including those that do not run. */
  readonly declared: readonly HookDeclaration[];
  readonly #watch: readonly string[];
  readonly #byVariables: ReadonlyMap<string, Opened>;

  private constructor({ hooks, watch }: LoadedSettings, byVariables: ReadonlyMap<string, Opened>) {
    this.declared = hooks;
    this.#watch = watch;
    this.#byVariables = byVariables;
  }

  static async open(
    { root, projectRoot }: Site,
    names: readonly string[] | undefined,
    tests: readonly TestCase[],
  ): Promise<TestHooks> {
    const all = movedHooks(await readProjectSettings(root), new Relocation([projectRoot], root));
    const loaded = { ...all, hooks: all.hooks.filter(({ name }) => names === undefined || names.includes(name)) };
    const opened = new Map<string, Opened>();
    for (const { env } of tests) {
      const key = keyOf(env);
      if (!opened.has(key)) opened.set(key, await openSystem(loaded, env));
    }
    return new TestHooks(all, opened);
  }

  /** Fires the event and also waits for non-blocking hooks. */
  async fire({ event, input, env }: TestCase, signal: AbortSignal): Promise<Fired> {
    const opened = this.#byVariables.get(keyOf(env));
    if (!opened) throw new Error("The hooks of this case were not opened");
    const records = new FireRecords();
    opened.records = records;
    const fired = await fireEvent(opened.system, { eventName: event.name, input, signal }, records);
    await opened.system.settle(signal);
    if (signal.aborted) throw new Interrupted();
    return { ...fired, hooks: [...fired.hooks, ...records.background()] };
  }

  /** Whether a file decides which code starts. The path is absolute. */
  isCode(file: string): boolean {
    const started = this.declared.flatMap(({ target }) => target?.files ?? []);
    return started.includes(file) || this.#watch.some((one) => file === one || file.startsWith(one + sep));
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#byVariables.values()].map(({ system }) => system.dispose()));
  }
}

async function openSystem(loaded: LoadedSettings, env: Variables): Promise<Opened> {
  const opened = { records: new FireRecords() };
  const recorder: Recorder = { record: (record) => opened.records.record(record) };
  const system = await openSettings(withVariables(loaded, env), { recorder, trust: "all" });
  return Object.assign(opened, { system });
}

function keyOf(env: Variables): string {
  return JSON.stringify(Object.entries(env).sort());
}
