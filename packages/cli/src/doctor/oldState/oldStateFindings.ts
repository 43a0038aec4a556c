import type { StatePlace } from "@hookline/journal";
import { isTakenOver, oldStateIn } from "../../state/oldState.ts";
import { endAtOnce } from "../../terminal/endAtOnce.ts";
import { type Finding, ok, warning } from "../finding.ts";
import { takeOver } from "./takeOver.ts";

/** State that an earlier version left in the project. */
export function oldStateFindings(place: StatePlace): readonly Finding[] {
  const files = oldStateIn(place.projectRoot);
  const [file] = files;
  if (file === undefined) return [];
  if (isTakenOver(place)) return [ok("imported; this file of an earlier version can be removed", file)];
  const what = `${files.length === 1 ? "This file is" : `This and ${files.length - 1} more files are`} from an earlier version or came with the repository, and not read: state is now kept in your home folder.`;
  const next =
    "`hookline doctor --fix` imports the records that your key verifies, open tasks without their approvals, and transcripts. Or remove it.";
  const question = `Import your data from ${files.join(", ")}? Say yes only if you worked here with an earlier version: a repository can contain such files.`;
  // A crafted database can keep SQLite busy for long, and signal listeners do not run during that time.
  return [warning({ what, file, next, question, fix: () => endAtOnce(() => takeOver(place)) })];
}
