import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { HookEventName } from "../../../src/events/catalog.ts";
import { type Config, type HookDefinitions, SettingsConfig } from "../../../src/hooks/config.ts";
import { HookSystem } from "../../../src/hooks/hookSystem.ts";
import type { HookSystemOptions } from "../../../src/hooks/hookSystemOptions.ts";
import { action, commandHook, eventNamed, temporaryFolder, testSystem } from "../../support/system.ts";

type Answer = Record<string, unknown> | undefined;
type Seen = Record<string, unknown>;

/** An agent's config over a real system, and a short way to give it hooks of the program. */
export async function testAgent(hooks: HookDefinitions = {}, options: HookSystemOptions = {}) {
  const made = await testSystem(hooks, options);
  return { ...made, ...hooksInto(made.system) };
}

/** The same over the settings of a user. */
export async function userAgent(settings: Record<string, unknown>) {
  const [dir, home] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(home, ".hookline"));
  writeFileSync(join(home, ".hookline/settings.json"), JSON.stringify(settings));
  const config = new SettingsConfig({ workingDir: dir, homeDir: home, systemFile: join(home, "none") });
  const system = config.getHookSystem();
  if (!system) throw new Error("hooks are on");
  onTestFinished(() => system.dispose());
  return { config, system, ...hooksInto(system) };
}

function hooksInto(system: HookSystem) {
  const on = (eventName: string, answer: Answer | ((input: Seen) => Answer | Promise<Answer>), name = "hook") => {
    const run = (input: Seen) => (typeof answer === "function" ? answer(input) : answer);
    return system.registerHook(action(name, run), eventNamed(eventName));
  };
  /** Every event that fires, by name, in order. */
  const watch = () => {
    const fired: string[] = [];
    for (const name of Object.values(HookEventName)) {
      const note = action(`watch ${name}`, () => void fired.push(name), { blocking: true });
      system.registerHook(note, name);
    }
    return fired;
  };
  return { on, watch };
}

/** The config of an agent whose hooks are off; nothing else of it may be asked. */
export const HOOKS_OFF = configThat(() => undefined);

/** An agent that has not begun yet: its project has a hook, and its system is not started. */
export function freshAgent(options: HookSystemOptions = {}) {
  const dir = temporaryFolder();
  let loads = 0;
  const config: Config = {
    getSessionId: () => "session-1",
    getWorkingDir: () => dir,
    getTranscriptPath: () => "",
    getHooks: () => {
      loads++;
      return commandHook("BeforeTool", "exit 0", { name: "guard" });
    },
    getEnableHooks: () => true,
    getExtensions: () => [],
    getHookSystem: () => system,
  };
  const system = new HookSystem(config, { homeDir: dir, ...options });
  onTestFinished(() => system.dispose());
  return { config, system, loads: () => loads };
}

/** Nobody trusted the hook of its project, and there is nobody to decide. */
export const untrustedAgent = () => freshAgent().config;

/** A config that answers one question and fails at every other. */
export function configThat(getHookSystem: Config["getHookSystem"]): Config {
  const fail = () => {
    throw new Error("not to be asked");
  };
  return {
    getSessionId: fail,
    getWorkingDir: fail,
    getTranscriptPath: fail,
    getHooks: fail,
    getEnableHooks: fail,
    getExtensions: fail,
    getHookSystem,
  };
}
