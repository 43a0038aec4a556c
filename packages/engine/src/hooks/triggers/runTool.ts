import type { Fields } from "../run/rewrites.ts";
import { errorText } from "./errorText.ts";
import { cancelledResult, failedResult, isToolResult, type ToolResult } from "./toolResult.ts";

/** The targets of the paths in the arguments, by argument, as shown to hooks; undefined if no hook ran. */
export type ToolPaths = Readonly<Record<string, string>> | undefined;

/** The tool itself. Gets the final arguments, the caller's signal, if any, and the files that it may open. */
export type ExecuteTool = (input: Fields, signal: AbortSignal | undefined, paths: ToolPaths) => Promise<ToolResult>;

export interface ToolRun {
  readonly input: Fields;
  readonly result: ToolResult;
  readonly durationMs: number;
}

/** A tool that throws has failed; if it stops because the caller aborted, the call and the turn are cancelled. */
export async function runTool(
  execute: ExecuteTool,
  { input, paths }: { readonly input: Fields; readonly paths: ToolPaths },
  signal: AbortSignal | undefined,
): Promise<ToolRun> {
  const startedAt = performance.now();
  const result = await attempt(() => execute(input, signal, paths), signal);
  return { input, result, durationMs: performance.now() - startedAt };
}

async function attempt(execute: () => Promise<ToolResult>, signal: AbortSignal | undefined): Promise<ToolResult> {
  try {
    const result = await execute();
    return isToolResult(result) ? result : failed("The tool returned no result");
  } catch (error) {
    return isCancellation(error, signal) ? cancelledResult("while the tool ran") : failed(errorText(error));
  }
}

const failed = (message: string) => failedResult({ message, type: "execution_failed" });

function isCancellation(error: unknown, signal: AbortSignal | undefined): boolean {
  return (
    signal?.aborted === true && (error === signal.reason || (error instanceof Error && error.name === "AbortError"))
  );
}
