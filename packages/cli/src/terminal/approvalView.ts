import type { ApprovalRequest } from "@hookline/engine";
import { type Colours, colours } from "./colour.ts";
import { decisionJson, decisionLines, decisionText, holdsHiddenBlanks } from "./decisionText.ts";
import { fitRows, type Line, rowsOf } from "./fitRows.ts";

/** The terminal that shows the question. */
interface Surface {
  readonly colour: boolean;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

export interface ApprovalView {
  readonly lines: readonly string[];
  /** Lines were omitted for length; the user can ask for them. */
  readonly isCut: boolean;
  /** Everything is on the screen and nothing is hidden: only then may Yes be the default. */
  readonly isPlain: boolean;
}

const MOST_ROWS = 60;
const FEWEST_ROWS = 8;
/** Rows of the choices below. */
const PROMPT_ROWS = 10;
const INDENT = "  ";

/** Shows what a person must see before approving: what will run, which hooks ask and why, and what hooks changed. */
export function approvalView(
  request: ApprovalRequest,
  { colour, columns = 80, rows = MOST_ROWS + PROMPT_ROWS }: Surface,
  { isWhole }: { readonly isWhole: boolean },
): ApprovalView {
  const paint = colours({ colour });
  const width = Math.max(1, columns - INDENT.length);
  const most = Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, rows - PROMPT_ROWS));
  const content = contentOf(request, paint, isWhole);
  const sections = [headOf(request, paint), content.lines, aboutOf(request, paint), rewritesOf(request, paint)];
  const shown = isWhole ? sections : fitted(sections, most, width);
  const isCut = !content.isComplete || shown.some((lines, index) => lines !== sections[index]);
  const all = shown.flat();
  const isOnScreen = rowsOf(all, width) <= most;
  return {
    isCut,
    isPlain: !isCut && isOnScreen && !holdsHiddenBlanks(all.map(({ text }) => text)),
    lines: ["", ...all.map(({ text, style, indent = INDENT }) => indent + (style ? style(text) : text))],
  };
}

/** The content (the second section) gets the remaining rows, and at least half of all. */
function fitted(sections: readonly (readonly Line[])[], maxRows: number, width: number): readonly (readonly Line[])[] {
  const around = sections.map((lines, index) => (index === 1 ? [] : fitRows(lines, Math.floor(maxRows / 6), width)));
  const left = maxRows - rowsOf(around.flat(), width);
  return sections.map((lines, index) =>
    index === 1 ? fitRows(lines, Math.max(left, Math.floor(maxRows / 2)), width) : (around[index] ?? []),
  );
}

/** Which hooks ask, and why. */
function headOf(request: ApprovalRequest, { bold, dim, yellow }: Colours): readonly Line[] {
  const { toolName, hooks, reasons, systemMessage, mcpContext, confirmation } = request;
  const of = mcpContext ? ` ${mcpContext.tool_name} of the MCP server ${mcpContext.server_name}` : "";
  const asking = hooks.length > 0 ? hooks.join(", ") : "the tool";
  return [
    { text: decisionText(`? ${toolName}${of} · asked by ${asking}`), style: bold, indent: "" },
    ...reasons.flatMap(decisionLines).map((text) => ({ text, style: yellow })),
    ...decisionLines(systemMessage ?? "")
      .filter(Boolean)
      .map((text) => ({ text, style: dim })),
    // Omit the title of a command: it repeats the beginning of the command, which is shown in full.
    ...(confirmation && confirmation.type !== "exec"
      ? decisionLines(confirmation.title).map((text) => ({ text, style: bold }))
      : []),
  ];
}

interface Content {
  readonly lines: readonly Line[];
  /** False if the tool could not show the whole change. */
  readonly isComplete: boolean;
}

/** The diff, the command, or the arguments. */
function contentOf({ toolInput, confirmation }: ApprovalRequest, paint: Colours, isWhole: boolean): Content {
  const { diff, command }: Readonly<Record<string, unknown>> = confirmation ?? {};
  const input = () => decisionJson(toolInput).map((text) => ({ text }));
  if (typeof diff === "string") {
    const lines = decisionLines(diff.trimEnd()).map((text) => ({ text, style: styleOf(text, paint) }));
    if (isWholeDiff(diff)) return { lines, isComplete: true };
    return isWhole ? { lines: [...lines, ...input()], isComplete: true } : { lines, isComplete: false };
  }
  if (typeof command !== "string") return { lines: input(), isComplete: true };
  const lines = decisionLines(command).map((line, index) => ({ text: `${index === 0 ? "$" : " "} ${line}` }));
  return { lines, isComplete: true };
}

/** False if a note in brackets says that the tool omitted something: the file is not text or too large, or the diff too long. */
function isWholeDiff(diff: string): boolean {
  return !diff.startsWith("[") && !/\n\[\d+ more characters of the diff are not shown\]$/.test(diff);
}

/** The folder of a command and the model's description of it. */
function aboutOf({ confirmation }: ApprovalRequest, { dim }: Colours): readonly Line[] {
  const { command, dir, description }: Readonly<Record<string, unknown>> = confirmation ?? {};
  if (typeof command !== "string") return [];
  return [
    ...(typeof dir === "string" ? [{ text: `in ${decisionText(dir)}`, style: dim }] : []),
    ...(typeof description === "string" ? [{ text: `the model says: ${decisionText(description)}`, style: dim }] : []),
  ];
}

function rewritesOf({ rewrites }: ApprovalRequest, { red, green }: Colours): readonly Line[] {
  return rewrites.flatMap(({ path, before, after, hook }) => [
    { text: `${decisionText(hook)} changed ${decisionText(path.join("."))}` },
    { text: `  - ${shownValue(before)}`, style: red },
    { text: `  + ${shownValue(after)}`, style: green },
  ]);
}

function styleOf(line: string, { red, green, cyan }: Colours): Line["style"] {
  if (line.startsWith("+")) return green;
  if (line.startsWith("-")) return red;
  return line.startsWith("@@") ? cyan : undefined;
}

function shownValue(value: unknown): string {
  return decisionText(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"));
}
