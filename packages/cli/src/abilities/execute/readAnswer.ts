import { isAbsolute, relative, resolve, sep } from "node:path";
import { errorText } from "@hookline/engine/program";
import { z } from "zod";
import { type AbilityAnswer, failed } from "../abilityResult.ts";

const STATUSES = ["success", "partial", "failure"] as const;

const answer = z.looseObject({
  status: z.enum(STATUSES),
  output: z.unknown().optional(),
  changed_files: z.array(z.string()).nullish(),
  error: z.union([z.string(), z.looseObject({ message: z.string() }).transform(({ message }) => message)]).nullish(),
});

interface AnswerContext {
  readonly projectRoot: string;
  /** The output was truncated. */
  readonly isCut: boolean;
}

/** Reads `{ status, output, changed_files? }`; any other JSON object or plain text is the output itself. */
export function readAnswer(printed: string, { projectRoot, isCut }: AnswerContext): AbilityAnswer {
  const text = printed.trim();
  if (!text.startsWith("{")) return done(isCut ? `${text}… (cut)` : text);
  if (isCut) return failed("Its answer is too long; write long results to a file.", text.slice(0, 1_000));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = errorText(error);
    return failed(`Its output begins like JSON but is invalid: ${why}.`, text);
  }
  if (typeof value !== "object" || value === null || !("status" in value)) return done(value);
  const read = answer.safeParse(value);
  if (!read.success) return failed(wrongAnswer(read.error.issues), value);
  const { status, output = "", changed_files, error } = read.data;
  return {
    status,
    output,
    changedFiles: insideOf(projectRoot, changed_files ?? []),
    ...(status === "failure" ? { error: error ?? textOf(output) ?? "It reported a failure." } : {}),
  };
}

function done(output: unknown): AbilityAnswer {
  return { status: "success", output, changedFiles: [] };
}

function wrongAnswer(issues: readonly z.core.$ZodIssue[]): string {
  const places = issues.map(({ path, message }) => `"${path.join(".")}": ${message}`).join("; ");
  return `Its answer is not { status: ${STATUSES.join("|")}, output, changed_files? }: ${places}.`;
}

/** Unique project-relative paths, without files outside of the project. */
function insideOf(projectRoot: string, files: readonly string[]): string[] {
  const paths = files.map((file) => relative(projectRoot, resolve(projectRoot, file)));
  const inside = paths.filter(
    (path) => path !== "" && path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path),
  );
  return [...new Set(inside.map((path) => path.replaceAll(sep, "/")))];
}

function textOf(output: unknown): string | undefined {
  return typeof output === "string" && output.trim() !== "" ? output : undefined;
}
