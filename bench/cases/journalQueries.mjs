import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measure } from "../measure.mjs";
import { row } from "../row.mjs";

const QUERIES = [
  ["log"],
  ["log", "--hook", "guard"],
  ["log", "--decision", "block"],
  ["trace", "--last"],
  ["stats"],
  ["list"],
];
const BAR_US = 1_000_000;
const PROGRAM = fileURLToPath(new URL("../../packages/cli/bin/hookline.js", import.meta.url));

export const cases = QUERIES.map((args) => ({
  name: `${args.join(" ")}, 1,000,000 records`,
  run: (name, dir) => run(name, dir, args),
}));

/** A whole command, from the start of its process to its end; the floor is Node that does nothing. */
async function run(name, dir, args) {
  const project = await projectWithJournal(dir);
  const env = { PATH: process.env.PATH, HOME: dir };
  const command = () => ended(spawn(process.execPath, [PROGRAM, ...args], { cwd: project, env, stdio: "ignore" }));
  const bareNode = () => ended(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }));
  const times = await measure({ ours: command, floor: bareNode }, { rounds: 11, batchMs: 0 });
  return row(name, times, [["< 1 s", times.ours < BAR_US]]);
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`It ended with ${code}`))));
  });
}

/** Made by whichever case comes first, and used by the others. */
async function projectWithJournal(dir) {
  const project = join(dir, "journal-queries");
  if (existsSync(project)) return project;
  const { statePath } = await import("../../packages/journal/dist/state/statePlace.js");
  const made = `${project}.new`;
  await mkdir(join(made, ".hookline"), { recursive: true });
  const hook = (name) => ({ type: "command", name, command: "true", timeout: "5s", onError: "allow" });
  const hooks = { BeforeTool: [{ hooks: [hook("guard"), hook("format")] }] };
  await writeFile(join(made, ".hookline/settings.json"), JSON.stringify({ hooks }));
  await rename(made, project);
  const state = statePath({ projectRoot: project, homeDir: dir });
  await mkdir(state, { recursive: true });
  await makeJournal(join(state, "journal.db"));
  return project;
}

const STEPS = 100_000;
/** Ten records a step: three events with their hooks, a model and a tool between them. */
const PARTS = `(VALUES
  (0, 'event', 0, 'BeforeModel', NULL, NULL), (1, 'run', 0, 'BeforeModel', NULL, 'budget'),
  (2, 'call', NULL, NULL, 'gemini-2.5-pro', NULL),
  (3, 'event', 1, 'BeforeTool', 'write_file', NULL), (4, 'run', 1, 'BeforeTool', 'write_file', 'guard'),
  (5, 'run', 1, 'BeforeTool', 'write_file', 'format'), (6, 'skip', 1, 'BeforeTool', 'write_file', 'late-check'),
  (7, 'call', NULL, NULL, 'write_file', NULL),
  (8, 'event', 2, 'AfterTool', 'write_file', NULL), (9, 'run', 2, 'AfterTool', 'write_file', 'audit'))`;

/** Three weeks of work in plausible proportions; the signatures are not real, since nothing here verifies them. */
const RECORDS = `
  WITH RECURSIVE
    steps(step) AS (SELECT 0 UNION ALL SELECT step + 1 FROM steps WHERE step < ${STEPS - 1}),
    parts(part, kind, nth, event, subject, hook) AS ${PARTS}
  INSERT INTO records (chain, n, at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body,
    written, prev, mac)
  SELECT 'bench', step * 10 + part + 1, $now - (${STEPS} - step) * 18000 + part * 20, kind,
    printf('%08x-0000-4000-8000-%012x', (step / 250) * 2654435761 % 4294967296, step / 250), step % 250 / 5 + 1,
    CASE WHEN nth IS NULL THEN NULL
      ELSE printf('%08x-%04x-4000-8000-%012x', step * 2654435761 % 4294967296, nth, step) END,
    event, subject, hook,
    CASE WHEN kind = 'skip' THEN 'skipped' WHEN kind = 'call' THEN 'success'
      WHEN part IN (3, 4) AND step % 997 = 0 THEN 'block' WHEN part = 9 AND step % 1009 = 0 THEN 'failed' ELSE 'allow' END,
    CASE WHEN kind = 'skip' THEN 0 WHEN kind = 'call' THEN 400000 + step % 97 * 5000 ELSE 900 + step % 89 * (part + 1) * 70 END,
    CASE kind
      WHEN 'event' THEN json_object('success', json('true'), 'sequential', json('false'),
        'input', json_object('tool_name', 'write_file', 'tool_input', json_object('content', hex(zeroblob(120)))))
      WHEN 'call' THEN json_object('what', iif(part = 2, 'model', 'tool'))
      ELSE json_object('hook', json_object('source', 'project', 'type', 'command'), 'pass', 'first', 'exitCode', 0) END,
    step * 8000, zeroblob(32), zeroblob(32)
  FROM steps CROSS JOIN parts`;

const ROLLUPS = `
  INSERT INTO hook_days (hook, source, day, runs, blocks, asks, failures, skips, total_us, max_us)
    SELECT hook, 'project', at / 86400000, sum(kind = 'run'), sum(outcome = 'block'), 0, sum(outcome = 'failed'),
      sum(kind = 'skip'), sum(duration_us), max(duration_us) FROM records WHERE hook IS NOT NULL GROUP BY 1, 3;
  INSERT INTO usage_days (hook, source, day, recorded)
    SELECT hook, 'project', at / 86400000, count(*) FROM records WHERE hook = 'audit' GROUP BY 1, 3;
  INSERT INTO hook_last (hook, source, type, event, first_at, at, outcome)
    SELECT hook, 'project', 'command', event, min(at), max(at), outcome FROM records WHERE hook IS NOT NULL GROUP BY 1;
  INSERT INTO event_days (event, day, matched, unmatched)
    SELECT event, at / 86400000, count(*), 5 FROM records WHERE kind = 'event' GROUP BY 1, 2;`;

async function makeJournal(file) {
  const [{ default: Database }, { createJournal }, { bucketOf }] = await Promise.all([
    import("libsql"),
    import("../../packages/journal/dist/records/journalSchema.js"),
    import("../../packages/journal/dist/records/latencyBuckets.js"),
  ]);
  const db = new Database(file);
  // It need not survive a crash, and the pages of its indexes should stay in memory.
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000");
  createJournal(db);
  db.exec("BEGIN");
  db.prepare(RECORDS.replace("$now", "?")).run([Date.now()]);
  db.exec(ROLLUPS);
  const taken = db.prepare(
    "SELECT hook, at / 86400000 AS day, duration_us, count(*) AS runs FROM records WHERE kind = 'run' GROUP BY 1, 2, 3",
  );
  const add = db.prepare(`
    INSERT INTO hook_latency (hook, source, day, bucket, runs) VALUES (?, 'project', ?, ?, ?)
    ON CONFLICT DO UPDATE SET runs = runs + excluded.runs`);
  for (const { hook, day, duration_us, runs } of taken.all()) add.run([hook, day, bucketOf(duration_us), runs]);
  db.exec("COMMIT");
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}
