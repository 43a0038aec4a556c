import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import SqlDatabase, { type Database } from "libsql";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { RunEntry } from "../../../journal/src/records/entry.ts";
import { Redaction } from "../../../journal/src/redaction/redaction.ts";
import { JournalWriter } from "../../../journal/src/writer/journalWriter.ts";
import { eventEntry, OPTIONS } from "../../../journal/test/support/journalFixtures.ts";
import { AgentProject, type Hook } from "../support/agentProject.ts";
import { endOf, type Files } from "../support/machine.ts";

const finding = z.object({
  severity: z.enum(["ok", "warning", "error"]),
  what: z.string(),
  where: z.object({ file: z.string(), line: z.number().optional(), column: z.number().optional() }).optional(),
  next: z.string().optional(),
  fixable: z.boolean().optional(),
});
const report = z.looseObject({
  projectRoot: z.string(),
  errors: z.number(),
  warnings: z.number(),
  sections: z.record(z.string(), z.array(finding)),
  hooks: z.array(z.looseObject({ name: z.string(), state: z.string() })),
  undeclared: z.array(z.looseObject({ hook: z.string() })),
  repairs: z.array(z.object({ isDone: z.boolean(), what: z.string() })),
});

export interface Diagnosis {
  readonly code: number | null;
  readonly said: z.infer<typeof report>;
  /** `stores error The journal is damaged.` for everything that is not fine. */
  readonly troubles: readonly string[];
}

/** A hook that lets everything pass. */
export const GUARD: Hook = { on: "BeforeTool", name: "guard", runs: ":" };

/** A project whose state is to be told, with the built program as its doctor. */
export class Patient {
  readonly #project: AgentProject;

  constructor(setup: { readonly hooks?: readonly Hook[]; readonly files?: Files } = {}) {
    this.#project = new AgentProject(setup);
  }

  static async trusted(setup: ConstructorParameters<typeof Patient>[0] = { hooks: [GUARD] }): Promise<Patient> {
    const patient = new Patient(setup);
    mkdirSync(patient.inState(""), { recursive: true, mode: 0o700 });
    await patient.machine.run(["trust", "--yes"]);
    return patient;
  }

  get machine() {
    return this.#project.machine;
  }

  get journal(): string {
    return this.inState("journal.db");
  }

  /** By its path from the state of the project. */
  inState(path: string): string {
    return join(this.machine.dir, this.machine.state, path);
  }

  /** By its path from the project. */
  at(path: string): string {
    return join(this.machine.project, path);
  }

  fire() {
    return this.machine.cli(["fire", "BeforeTool"]);
  }

  async doctor(...args: string[]): Promise<Diagnosis> {
    const words = ["doctor", "--json", ...args];
    // A repair takes a person at a terminal.
    const { code, stdout } = await (args.includes("--fix")
      ? this.machine.run(words, { env: this.machine.env(), interactive: true, confirm: async () => true })
      : this.machine.cli(words));
    return diagnosisIn(code, stdout);
  }

  /** As programs write, only more at once. */
  record(write: (writer: JournalWriter) => void): void {
    const redaction = new Redaction({ keys: [], patterns: [], values: [], payloadBytes: OPTIONS.payloadBytes });
    const writer = new JournalWriter({ ...this.machine.place, redaction, limits: OPTIONS });
    try {
      write(writer);
    } finally {
      writer.close();
    }
  }

  recordEvents(count: number): void {
    this.record((writer) => {
      writer.append(Array.from({ length: count }, (_, nth) => eventEntry(nth + 1, { at: Date.now() })));
    });
  }

  /** Does something to the journal that no program of ours does. */
  tamper(work: (db: Database) => void, path = this.journal): void {
    const db = new SqlDatabase(path);
    try {
      work(db);
    } finally {
      db.close();
    }
  }

  /** Another process holds a database until it is told to let go. */
  async locked(path: string): Promise<() => Promise<unknown>> {
    const script = fileURLToPath(new URL("holdsLock.mjs", import.meta.url));
    const child = spawn(process.execPath, [script, path], { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = endOf(child);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    return () => {
      child.stdin.end();
      return ended;
    };
  }
}

export function diagnosisIn(code: number | null, stdout: string): Diagnosis {
  const said = report.parse(JSON.parse(stdout));
  const troubles = Object.entries(said.sections).flatMap(([title, findings]) =>
    findings.filter(({ severity }) => severity !== "ok").map(({ severity, what }) => `${title} ${severity} ${what}`),
  );
  return { code, said, troubles };
}

/** What `fire` told the person beside its answer. */
export function notices(stderr: string): readonly string[] {
  return stderr.split("\n").filter((line) => line.startsWith("! "));
}

export function runEntry(nth: number, more: Partial<RunEntry> = {}): RunEntry {
  return {
    kind: "run",
    at: Date.now(),
    session: "s1",
    turn: 1,
    eventId: `e${nth}`,
    event: "BeforeTool",
    hook: { name: "guard", source: "project", type: "command" },
    pass: "first",
    outcome: "allow",
    durationMs: 2,
    applied: true,
    notes: [],
    ...more,
  };
}
