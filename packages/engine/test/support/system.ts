import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { EVENTS, HookEventName } from "../../src/events/catalog.ts";
import type { Config, HookDefinitions } from "../../src/hooks/config.ts";
import { HookSystem } from "../../src/hooks/hookSystem.ts";
import type { HookSystemOptions } from "../../src/hooks/hookSystemOptions.ts";
import type { HookRecord, RecordOf } from "../../src/hooks/record/recorder.ts";
import type { RegisterOptions, RuntimeHookConfig } from "../../src/hooks/registerHook.ts";

/** A hook system over the given definitions, with everything it recorded, disposed of when the test ends. */
export async function testSystem(hooks: HookDefinitions = {}, options: HookSystemOptions = {}) {
  const dir = temporaryFolder();
  const records: HookRecord[] = [];
  const config = configOf(dir, hooks, () => system);
  const recorder = { record: (record: HookRecord) => void records.push(record) };
  const system: HookSystem = new HookSystem(config, { trust: "all", homeDir: dir, recorder, ...options });
  onTestFinished(() => system.dispose());
  await system.initialize();
  const recorded = <Kind extends HookRecord["kind"]>(kind: Kind) =>
    records.filter((record): record is RecordOf<Kind> => record.kind === kind);
  return { config, system, handler: system.getEventHandler(), dir, records, recorded };
}

/** A session in a folder. */
export function configOf(dir: string, hooks: HookDefinitions, getHookSystem: () => HookSystem): Config {
  return {
    getSessionId: () => "session-1",
    getWorkingDir: () => dir,
    getTranscriptPath: () => "",
    getHooks: () => hooks,
    getEnableHooks: () => true,
    getExtensions: () => [],
    getHookSystem,
  };
}

/** One command hook on an event, with further fields. */
export function commandHook(eventName: string, command: string, fields: Record<string, unknown> = {}): HookDefinitions {
  return { [eventName]: [{ hooks: [{ type: "command", command, timeout: "10s", ...fields }] }] };
}

/** A hook of the program itself. */
export function action(
  name: string,
  run: RuntimeHookConfig["action"],
  fields: Partial<Omit<RuntimeHookConfig, "action">> = {},
): AnyHook {
  // Tests answer whatever they like, to any event: a function that never returns fits all of them.
  return { type: "runtime", name, action: run as AnyHook["action"], ...fields };
}

export interface AnyHook extends Omit<RuntimeHookConfig, "action"> {
  readonly action: (...args: Parameters<RuntimeHookConfig["action"]>) => never;
}

export function registerAll(
  system: HookSystem,
  eventName: HookEventName,
  hooks: readonly AnyHook[],
  options: RegisterOptions = {},
): void {
  for (const hook of hooks) system.registerHook(hook, eventName, options);
}

export function temporaryFolder(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "hookline-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const CALL = {
  ...EVENTS.BeforeTool.sample,
  tool_name: "write_file",
  tool_input: { file_path: "a.txt", content: "hello" },
  tool_call_id: "call-1",
};

/** For tests that go through events by name. */
export function eventNamed(name: string): HookEventName {
  const known = Object.values(HookEventName).find((one) => one === name);
  if (known === undefined) throw new Error(`There is no event ${name}`);
  return known;
}
