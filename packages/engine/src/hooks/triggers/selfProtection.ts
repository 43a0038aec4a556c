import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProtectedPlaces } from "../../config/trust/protectedFiles.ts";
import { MAX_LEVELS } from "../../events/plainJson.ts";
import { writtenPaths } from "../../events/toolNames.ts";
import type { McpContext } from "../../events/toolSchemas.ts";
import { BeforeToolHookOutput } from "../answer/hookOutput.ts";
import type { Config } from "../config.ts";
import type { Fields } from "../run/rewrites.ts";
import { errorText } from "./errorText.ts";
import type { Hooks } from "./hooksOf.ts";

/** The name of the built-in guard. */
export const SELF_PROTECTION = "self-protection";

interface Write {
  readonly config: Config;
  readonly toolName: string;
  readonly mcpContext?: McpContext | undefined;
  /** The final input. */
  readonly input: Fields;
  /** Looked up while hooks ran, or as needed. */
  readonly places?: ProtectedPlaces | undefined;
}

/** Looks up what is protected, for a call that would write: dozens of places, on disk. Call it while hooks run. */
export function lookUpPlaces(hooks: Hooks, call: Write): ProtectedPlaces | undefined {
  try {
    return pathsOf(hooks, call).length === 0 ? undefined : hooks.getProtectedPlaces();
  } catch {
    return undefined; // looked up again, and reported, once the hooks have answered
  }
}

/**
 * The built-in guard of every trigger: writes to hook configuration, to trusted files and to files that decide how other programs
 * run need approval, in every approval mode. Returns one reason per file that the call would write.
 */
export function protectedWrites(hooks: Hooks | undefined, call: Write): readonly string[] {
  if (!hooks) return [];
  const { config } = call;
  const paths = pathsOf(hooks, call);
  let { places } = call;
  if (paths.length > MOST_PATHS) return [`The call names more than ${MOST_PATHS} texts that may be paths.`];
  return paths.flatMap((path) => {
    try {
      places ??= hooks.getProtectedPlaces();
      const workingDir = config.getWorkingDir();
      // A tool may resolve ".." before or after it follows links.
      const spellings = new Set([resolve(workingDir, path), isAbsolute(path) ? path : `${workingDir}/${path}`]);
      const why = [...spellings].map((one) => hooks.whyProtected(one, places)).find((reason) => reason !== undefined);
      return why === undefined ? [] : [`${path} ${why}.`];
    } catch (error) {
      return [`${path} could not be checked: ${errorText(error)}`];
    }
  });
}

function pathsOf(hooks: Hooks, { toolName, mcpContext, input }: Write): readonly string[] {
  return mcpContext ? mcpPaths(mcpContext, input) : writtenPaths(hooks.getToolNames(), toolName, input);
}

const WRITES = /writ|edit|creat|mov|renam|delet|remov|updat|append|patch|sav|replac|insert|cop|touch|put|upload/i;
const LONGEST_PATH = 4096;
/** Limit, since each path is looked up on disk. */
const MOST_PATHS = 1_000;

/** Of an MCP tool only the name is known: if that suggests writing, any of its texts may be a path. */
function mcpPaths({ tool_name }: McpContext, input: Fields): readonly string[] {
  if (!WRITES.test(tool_name)) return [];
  const texts = [...new Set(textsIn(input))];
  return texts
    .filter((text) => text !== "" && text.length <= LONGEST_PATH && !text.includes("\n"))
    .map((text) => (text.startsWith("file:") ? pathOfUrl(text) : text));
}

function pathOfUrl(text: string): string {
  try {
    return fileURLToPath(text);
  } catch {
    return text; // not a valid URL, or on another machine
  }
}

/** All texts in a value, as deep as guards can read; field names may be paths too. */
function textsIn(value: unknown, depth = MAX_LEVELS): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth === 0) return [];
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value).flatMap((field) => textsIn(field, depth - 1))];
}

/** Adds the guard's question to the hooks' answer; an objection takes precedence. */
export function withQuestion(
  output: BeforeToolHookOutput | undefined,
  reasons: readonly string[],
): BeforeToolHookOutput | undefined {
  if (reasons.length === 0 || output?.isBlockingDecision() || output?.shouldStopExecution()) return output;
  const asked = output?.isAskDecision() && output.reason ? [output.reason, ...reasons] : reasons;
  return new BeforeToolHookOutput({ ...output, decision: "ask", reason: asked.join("\n") });
}
