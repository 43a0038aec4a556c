// A journal to draw pictures of: a turn in which a guard objects and a person is asked, and some days of work before it.
import { join } from "node:path";
import { Redaction } from "../packages/journal/dist/redaction/redaction.js";
import { JournalWriter } from "../packages/journal/dist/writer/journalWriter.js";

const SESSION = "cfe15d5c-64d9-443b-8244-f4401c4edc99";
const GUARD = { name: "no-env", source: "project", type: "command", place: ".hookline/settings.json:6:9" };
const FORMAT = { name: "format", source: "project", type: "worker", place: ".hookline/settings.json:14:9" };
const AUDIT = { name: "audit", source: "user", type: "http", place: "~/.hookline/settings.json:4:9" };

/** Writes it into a project. */
export async function record(projectRoot) {
  const redaction = new Redaction({ keys: [], patterns: [], values: [], payloadBytes: 65_536 });
  const limits = { maxAgeMs: 1e12, maxBytes: 1e12 };
  const writer = new JournalWriter({ projectRoot, homeDir: join(projectRoot, "../home"), redaction, limits });
  const start = Date.now() - 205_000; // so that all of it was "3 min ago" for a while
  writer.append([...earlier(start), ...turn(start)]);
  writer.close();
}

function turn(start) {
  const at = (ms) => ({ at: start + ms, session: SESSION, turn: 1 });
  const model = (ms, durationMs) => ({
    kind: "call",
    ...at(ms),
    what: "model",
    subject: "gemini-2.5-pro",
    status: "success",
    durationMs,
    tokens: { input: 812, output: 96 },
  });
  const denied = { outcome: "block", reason: "Secrets are not the agent's business." };
  return [
    model(5, 820),
    event(at(830), "808f83ff", "BeforeTool", "write_file", [{ hook: GUARD, durationMs: 6.1, ...denied }]),
    model(840, 640),
    event(at(1_484), "9fc94c53", "BeforeTool", "replace", [
      { hook: GUARD, durationMs: 5.2, outcome: "ask", reason: "It is a lock file." },
    ]),
    {
      kind: "approval",
      ...at(1_492),
      callId: "c2",
      subject: "replace",
      approved: true,
      by: "person",
      hooks: ["no-env"],
      durationMs: 4_100,
      input: {},
    },
    { kind: "call", ...at(5_595), what: "tool", subject: "replace", status: "success", durationMs: 12, callId: "c2" },
    event(at(5_610), "1b7c02d9", "AfterTool", "replace", [
      { hook: FORMAT, durationMs: 31, outcome: "allow" },
      {
        hook: AUDIT,
        durationMs: 84,
        outcome: "failed",
        reason: "The endpoint answered with status 503",
        failure: "status",
      },
    ]),
    model(5_705, 410),
    { kind: "call", ...at(0), what: "turn", subject: "gemini-2.5-pro", status: "finished", durationMs: 6_120 },
  ];
}

/** Enough of a past for percentiles. */
function earlier(start) {
  const events = [];
  for (let nth = 0; nth < 240; nth++) {
    const when = { at: start - (240 - nth) * 1_000, session: "7d1e2f50-0000-4000-8000-000000000000", turn: 1 };
    const id = `e${nth}`.padStart(8, "0");
    const [quick, slow] = [4 + (nth % 7) / 2, 60 + ((nth * 37) % 90)];
    events.push(event(when, id, "BeforeTool", "write_file", [{ hook: GUARD, durationMs: quick, outcome: "allow" }]));
    if (nth % 3 === 0)
      events.push(
        event(when, `f${id.slice(1)}`, "AfterTool", "write_file", [
          { hook: FORMAT, durationMs: quick / 20, outcome: "allow" },
          { hook: AUDIT, durationMs: slow, outcome: nth % 30 === 0 ? "failed" : "allow" },
        ]),
      );
  }
  return events;
}

function event(when, eventId, name, subject, runs) {
  const common = { ...when, eventId, event: name, subject };
  const objector = runs.find(({ outcome }) => ["block", "ask"].includes(outcome));
  const durationMs = Math.max(...runs.map((run) => run.durationMs)) + 0.4;
  return {
    kind: "event",
    ...common,
    sequential: false,
    decision: objector?.outcome ?? "allow",
    ...(objector ? { reason: objector.reason } : {}),
    success: runs.every(({ outcome }) => outcome !== "failed"),
    durationMs,
    input: { tool_name: subject },
    rewrites: [],
    notes: [],
    skipped: [],
    runs: runs.map((run) => ({ kind: "run", ...common, pass: "first", applied: true, notes: [], ...run })),
  };
}
