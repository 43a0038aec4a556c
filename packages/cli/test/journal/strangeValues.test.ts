import { copyFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { hooksOn, PROJECT_FILE } from "../support/machine.ts";
import { event, guarded, RecordedMachine, runIn } from "./queriesJournal.ts";

const TABLES = ["records", "hook_days", "hook_latency", "hook_last", "usage_days", "event_days"];
const COMMANDS = ["log", "trace", "stats", "list", "doctor"].flatMap((name) => [[name], [name, "--json"]]);
const VALUES: Readonly<Record<string, readonly string[]>> = {
  INTEGER: ["9223372036854775807", "-1"],
  TEXT: ["char(27) || '[2J'", "'__proto__'"],
  BLOB: ["x''"],
};
const column = z.object({ name: z.string(), type: z.string() });

function recorded(): RecordedMachine {
  const hooks = hooksOn("BeforeTool", [{ name: "guard", command: "true" }]);
  const machine = new RecordedMachine({ [PROJECT_FILE]: hooks });
  const tracked = event(3);
  machine.append(guarded(1, "allow"), guarded(2, "block"), {
    ...tracked,
    runs: [runIn(tracked, { usageRecorded: true })],
  });
  machine.close();
  machine.tamper((db) => db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all());
  return machine;
}

function columnsOf(machine: RecordedMachine, table: string): z.infer<typeof column>[] {
  let columns: unknown = [];
  machine.tamper((db) => {
    columns = db.prepare(`PRAGMA table_info(${table})`).all();
  });
  return z.array(column).parse(columns);
}

/** A repository may bring a journal that no program of ours has written. */
test.each(TABLES)(
  "whatever stands in a row of %s, every command has an answer",
  { timeout: 120_000 },
  async (table) => {
    const machine = recorded();
    const copy = `${machine.journal}.copy`;
    copyFileSync(machine.journal, copy);
    const wrong: string[] = [];
    for (const { name, type } of columnsOf(machine, table)) {
      for (const value of VALUES[type] ?? []) {
        machine.moveJournalAway();
        copyFileSync(copy, machine.journal);
        machine.tamper((db) => db.exec(`UPDATE OR IGNORE ${table} SET ${name} = ${value}`));
        for (const command of COMMANDS) {
          const { stdout, stderr } = await machine.run(command);
          const said = stdout + stderr;
          if (/INTERNAL|\bbug\b/.test(said) || said.includes("\u001b"))
            wrong.push(`${name} = ${value}: ${command.join(" ")}: ${said}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  },
);
