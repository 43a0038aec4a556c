import type { Fields } from "../run/rewrites.ts";
import { errorText } from "./errorText.ts";
import { cancelledResult, failedResult, isToolResult, type ToolResult } from "./toolResult.ts";

/** Where the paths in the arguments lead, by argument, as hooks were told; undefined where no hook was asked. */
export type ToolPaths = Readonly<Record<string, string>> | undefined;

/** The tool itself. Gets the arguments as they are to run, the caller's signal, if there is one, and the files it may open. */
export type ExecuteTool = (input: Fields, signal: AbortSignal | undefined, paths: ToolPaths) => Promise<ToolResult>;

export interface ToolRun {
  readonly input: Fields;
  readonly result: ToolResult;
  readonly durationMs: number;
}

/** A tool that throws has failed; one that gives up because the caller did is cancelled, and so is the turn. */
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
