import { numberIn } from "@hookline/journal/program";
import type { Database } from "libsql";

const OPEN = "status IN ('created', 'awaiting_human') AND root <> ?";

/**
 * Another folder may come to lie at the path of a project: another clone, another container. What was asked for, or approved, for the one
 * before is not done to this one. Returns how many tasks lapsed.
 */
export function lapseTasks(db: Database, root: string): number {
  const found = numberIn(db.prepare(`SELECT count(*) AS found FROM tasks WHERE ${OPEN}`).get([root]), "found");
  // To look needs no lock, and there is mostly nothing to do.
  if (found === 0) return 0;
  const lapse = db.prepare(`UPDATE tasks SET status = 'lapsed', approval = NULL, ended_at = ? WHERE ${OPEN}`);
  return lapse.run([new Date().toISOString(), root]).changes;
}
