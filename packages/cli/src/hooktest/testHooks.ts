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

/** Where hooks run, and the project that this is, or is a copy of. */
export interface Site {
  readonly root: string;
  readonly projectRoot: string;
}

interface Opened {
  readonly system: HookSystem;
  /** Of the case that is running; cases run one after the other. */
  records: FireRecords;
}

/**
 * The project's hooks in a folder, and nobody else's: a test says the same everywhere. Settings are read and programs are let in
 * before the first case begins. What a case then writes into them starts no code.
 */
export class TestHooks {
  /** All of the project, also those that do not take part. */
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

  /** Also waits for hooks that nobody waits for otherwise. */
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

  /** Whether a file decides what code is started. The path is absolute. */
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
