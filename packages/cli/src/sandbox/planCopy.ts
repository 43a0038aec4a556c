import { ProgramError } from "../errors.ts";
import { Interrupted } from "../terminal/exitCode.ts";
import { type Bounds, boundsText, sizeText } from "./bounds.ts";
import { filesBelow, listFiles } from "./listFiles.ts";
import { nameFew } from "./nameFew.ts";
import { startedPrograms } from "./startedPrograms.ts";
import { type CopyPlan, Survey } from "./survey.ts";

interface CopyRequest {
  readonly bounds: Bounds;
  /** Paths that hooks start: copied even if git ignores them. */
  readonly started: readonly string[];
  /** Advice if the project is too large. */
  readonly next: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Folders that declare hooks: copied even if git ignores them. */
const SETTINGS = [".hookline", ".gemini", ".system"];

/** Plans the copy without writing anything; `root` must not contain links. Throws COPY_REFUSED above the bounds. */
export async function planCopy(root: string, { bounds, started, next, signal }: CopyRequest): Promise<CopyPlan> {
  const { files: listed, ignored } = await listFiles(root, bounds.maxFiles, signal);
  if (signal?.aborted) throw new Interrupted();
  const settings = SETTINGS.flatMap((folder) => filesBelow(root, folder, bounds.maxFiles));
  const programs = startedPrograms(root, started, { ignored, bounds });
  const survey = new Survey(root, { bounds, kept: programs.links });
  for (const path of new Set([...listed, ...settings, ...programs.paths, ...programs.links])) survey.add(path);
  for (const path of ignored) survey.addEnvironment(path.replace(/\/$/, ""));
  const { files, bytes } = survey;
  if (files.length > bounds.maxFiles || bytes > bounds.maxBytes) {
    const what = `The project has ${files.length} files or more, ${sizeText(bytes)} in total; at most ${boundsText(bounds)} are copied.`;
    throw new ProgramError({
      code: "COPY_REFUSED",
      where: { file: root },
      what,
      ...(next === undefined ? {} : { next }),
    });
  }
  const plan = survey.plan();
  return { ...plan, notices: [...plan.notices, ...programs.notices, ...withoutIgnored(plan, ignored)] };
}

/** Name the ignored files that are missing from the copy: a hook that reads one of them may decide differently. */
function withoutIgnored({ files, links }: CopyPlan, ignored: readonly string[]): readonly string[] {
  const inCopy = new Set([...files, ...links.map(({ path }) => path)].map((path) => path.split("/")[0]));
  const names = ignored
    .map((path) => path.replace(/\/$/, ""))
    .filter((name) => !name.includes("/") && !inCopy.has(name) && !SETTINGS.includes(name));
  if (names.length === 0) return [];
  return [`git ignores ${nameFew(names)}; the copy does not have ${names.length === 1 ? "it" : "them"}`];
}
