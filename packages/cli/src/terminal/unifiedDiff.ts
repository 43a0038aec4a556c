import { headOf } from "./cutText.ts";

const MAX_COMPARED_CHARS = 1_000_000;
const MAX_SHOWN_CHARS = 20_000;

/** The diff of a change, for the person who approves it. */
export async function unifiedDiff(name: string, before: string, after: string): Promise<string> {
  if (before.length + after.length > MAX_COMPARED_CHARS) return tooLarge(before, after);
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const patch = createTwoFilesPatch(name, name, before, after, undefined, undefined, {
    context: 3,
    timeout: 1_000, // two files that share little can take minutes
    headerOptions: FILE_HEADERS_ONLY,
  });
  if (patch === undefined) return tooLarge(before, after);
  const shown = headOf(patch, MAX_SHOWN_CHARS);
  return shown === patch
    ? patch
    : `${shown}\n[${patch.length - shown.length} more characters of the diff are not shown]`;
}

function tooLarge(before: string, after: string): string {
  return `[too large for a diff: ${before.length} characters become ${after.length}]`;
}
