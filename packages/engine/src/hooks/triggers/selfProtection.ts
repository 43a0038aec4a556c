import { isAbsolute, resolve } from "node:path";
import { writtenPaths } from "../../events/toolNames.ts";
import type { Config } from "../config.ts";
import { BeforeToolHookOutput } from "../hookOutput.ts";
import type { Fields } from "../rewrites.ts";
import { errorText } from "./errorText.ts";
import { type Hooks, toolNames } from "./fireHooks.ts";

/** The name under which the built-in guard asks. */
export const SELF_PROTECTION = "self-protection";

interface Write {
  readonly config: Config;
  readonly toolName: string;
  /** As it will run. */
  readonly input: Fields;
}

/**
 * The built-in guard of every seat: writes to hook configuration, to what was trusted and to what decides how other programs
 * run need a person's yes, whatever the approval mode. One reason per file that the call would write.
 */
export function protectedWrites(hooks: Hooks | undefined, { config, toolName, input }: Write): readonly string[] {
  if (!hooks || hooks instanceof Error) return [];
  return writtenPaths(toolNames(hooks), toolName, input).flatMap((path) => {
    try {
      const workingDir = config.getWorkingDir();
      // A tool may take out ".." before it follows links, or after.
      const spellings = [resolve(workingDir, path), isAbsolute(path) ? path : `${workingDir}/${path}`];
      const why = spellings.map((one) => hooks.whyProtected(one)).find((reason) => reason !== undefined);
      return why === undefined ? [] : [`${path} ${why}.`];
    } catch (error) {
      return [`${path} could not be checked: ${errorText(error)}`];
    }
  });
}

/** The hooks' answer with the guard's question added; an objection stands above it. */
export function withQuestion(
  output: BeforeToolHookOutput | undefined,
  reasons: readonly string[],
): BeforeToolHookOutput | undefined {
  if (reasons.length === 0 || output?.isBlockingDecision() || output?.shouldStopExecution()) return output;
  const asked = output?.isAskDecision() && output.reason ? [output.reason, ...reasons] : reasons;
  return new BeforeToolHookOutput({ ...output, decision: "ask", reason: asked.join("\n") });
}
