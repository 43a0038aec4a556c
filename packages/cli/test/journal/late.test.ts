import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { GUARD, notices, Patient } from "../doctor/patient.ts";
import { endOf, eventually } from "../support/machine.ts";

test("a block that another program keeps from being written takes effect, is said, and is written down later", async () => {
  const hook = { on: "BeforeTool", name: "guard", answers: { decision: "deny", reason: "no" } } as const;
  const patient = await Patient.trusted({ hooks: [hook] });
  await patient.fire();
  const release = await patient.locked(patient.journal);
  const child = patient.machine.start(["fire", "BeforeTool"]);
  const ended = endOf(child);
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  // Why it is late need not be known yet when that is said.
  await eventually(() => /Another program has locked the journal|The journal is slow/.test(said));
  await release();
  const { code, stdout } = await ended;
  expect({ code, told: notices(said).length }).toEqual({ code: 2, told: 1 });
  expect(stdout).toContain("blocked: no");
  const { stdout: log } = await patient.machine.cli(["log"]);
  expect(log.match(/✗ block/g)).toHaveLength(2);
  expect(log).toContain("the program continued before an objection or approval was recorded");
});

test("a short program beside a lock that was just left behind keeps what happened", async () => {
  const patient = await Patient.trusted({ hooks: [GUARD] });
  mkdirSync(`${patient.journal}.lock`);
  const { stderr } = await patient.fire();
  expect(stderr).not.toContain("not kept");
  expect((await patient.machine.cli(["log"])).stdout).toContain("BeforeTool");
});
