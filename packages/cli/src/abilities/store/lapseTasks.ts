import { numberIn } from "@hookline/journal/program";
import type { Database } from "libsql";

const OPEN = "status IN ('created', 'awaiting_human') AND root <> ?";

/**
 * Lapses open tasks of another folder that was at the same path before, such as another clone or container: their requests and
 * approvals do not apply to this one. Returns how many tasks lapsed.
 */
export function lapseTasks(db: Database, root: string): number {
  const found = numberIn(db.prepare(`SELECT count(*) AS found FROM tasks WHERE ${OPEN}`).get([root]), "found");
  // Reading needs no lock, and usually there is nothing to do.
  if (found === 0) return 0;
  const lapse = db.prepare(`UPDATE tasks SET status = 'lapsed', approval = NULL, ended_at = ? WHERE ${OPEN}`);
  return lapse.run([new Date().toISOString(), root]).changes;
}
