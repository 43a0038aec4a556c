import { fileURLToPath } from "node:url";
import type { HookDefinitions } from "../../src/hooks/config.ts";
import type { HookSystemOptions } from "../../src/hooks/hookSystemOptions.ts";
import { quoteForShell } from "../../src/process/shellWords.ts";
import { CALL, testSystem } from "./system.ts";

/** The absolute path of a program in `test/fixtures/workers/`. */
export function workerFixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/workers/${name}`, import.meta.url));
}

/** The text of a command that starts a program of `test/fixtures/workers/`, or any other file. */
export function workerCommand(file: string, interpreter?: string): string {
  const words = interpreter === undefined ? [file] : [interpreter, file];
  return words.map(quoteForShell).join(" ");
}

export function workerHook(command: string, fields: Record<string, unknown> = {}): HookDefinitions {
  return { BeforeTool: [{ hooks: [{ type: "worker", name: "hook", command, timeout: "10s", ...fields }] }] };
}

/** A system with one worker hook, and a way to tell the worker what to do with the next event. */
export async function workerSystem(
  command: string,
  fields: Record<string, unknown> = {},
  options: HookSystemOptions = {},
) {
  const made = await testSystem(workerHook(command, fields), options);
  const tell = async (content: string, signal?: AbortSignal) => {
    const call = { ...CALL, tool_input: { content } };
    const fired = await made.handler.fireBeforeToolEvent(call, signal ? { signal } : {});
    const [result] = fired.results;
    const said = fired.finalOutput?.systemMessage;
    return {
      success: fired.success,
      said,
      output: fired.finalOutput,
      failure: result?.failure,
      ending: result?.ending,
    };
  };
  const pid = async () => Number((await tell("answer")).said);
  return { ...made, tell, pid };
}
