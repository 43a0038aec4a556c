import type { ApprovalRequest } from "@hookline/engine";
import { type Colours, colours } from "../../colour.ts";
import type { Io } from "../../io.ts";
import { shortened, visible, visibleJson, visibleLines } from "../../visible.ts";

const MOST_LINES = 60;
const REWRITE_LENGTH = 400;

export interface ApprovalView {
  readonly lines: readonly string[];
  /** Something was left out for length. */
  readonly isCut: boolean;
}

/** All that a person needs to see before they say yes: what will run, who asks and why, and what hooks made of it. */
export function approvalView(
  request: ApprovalRequest,
  io: Pick<Io, "colour">,
  { isWhole }: { readonly isWhole: boolean },
): ApprovalView {
  const paint = colours(io);
  const { bold, dim, yellow } = paint;
  const { toolName, hooks, reasons, systemMessage, rewrites, mcpContext, confirmation } = request;
  const content = contentOf(request, paint);
  const shown = isWhole ? content : middleLeftOut(content, yellow);
  const of = mcpContext
    ? ` ${dim(`${visible(mcpContext.tool_name)} of the MCP server ${visible(mcpContext.server_name)}`)}`
    : "";
  const asking = hooks.length > 0 ? `asked by ${visible(hooks.join(", "))}` : "asked by the tool";
  return {
    isCut: shown.length < content.length,
    lines: [
      "",
      `${yellow("?")} ${bold(visible(toolName))}${of} ${dim(`· ${asking}`)}`,
      ...reasons.flatMap(visibleLines).map((line) => yellow(`  ${line}`)),
      ...visibleLines(systemMessage ?? "")
        .filter(Boolean)
        .map((line) => dim(`  ${line}`)),
      // The title of a command is the beginning of the command, which is shown in full.
      ...(confirmation && confirmation.type !== "exec"
        ? visibleLines(confirmation.title).map((line) => `  ${bold(line)}`)
        : []),
      ...shown.map((line) => `  ${line}`),
      ...rewrites.flatMap(({ path, before, after, hook }) => [
        `  ${visible(hook)} changed ${visible(path.join("."))}`,
        paint.red(`    - ${shownValue(before)}`),
        paint.green(`    + ${shownValue(after)}`),
      ]),
    ],
  };
}

/** The diff, the command, or the arguments as they are. */
function contentOf({ toolInput, confirmation }: ApprovalRequest, paint: Colours): readonly string[] {
  const { dim } = paint;
  const { diff, command, dir, description }: Readonly<Record<string, unknown>> = confirmation ?? {};
  if (typeof diff === "string") return visibleLines(diff.trimEnd()).map((line) => diffLine(line, paint));
  if (typeof command === "string") {
    return [
      ...visibleLines(command).map((line, index) => `${index === 0 ? "$" : " "} ${line}`),
      ...(typeof dir === "string" ? [dim(`in ${visible(dir)}`)] : []),
      ...(typeof description === "string" ? [dim(`the model says: ${visible(description)}`)] : []),
    ];
  }
  return visibleJson(toolInput).split("\n");
}

function diffLine(line: string, { red, green, cyan }: Colours): string {
  if (line.startsWith("+")) return green(line);
  if (line.startsWith("-")) return red(line);
  return line.startsWith("@@") ? cyan(line) : line;
}

/** Of what is long, the beginning and the end: nothing can hide behind a harmless beginning without being missed. */
function middleLeftOut(lines: readonly string[], style: (text: string) => string): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  const half = Math.floor(MOST_LINES / 2);
  const left = lines.length - 2 * half;
  return [...lines.slice(0, half), style(`… ${left} lines are not shown …`), ...lines.slice(-half)];
}

function shownValue(value: unknown): string {
  return shortened(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"), REWRITE_LENGTH);
}
