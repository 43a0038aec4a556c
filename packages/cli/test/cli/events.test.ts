import { EVENTS } from "@hookline/engine";
import { expect, test } from "vitest";
import { Machine } from "../support/machine.ts";

test("every event is shown with what it may do", async () => {
  const { code, stdout } = await new Machine().cli(["events"]);
  expect(code).toBe(0);
  for (const [name, { fires }] of Object.entries(EVENTS)) expect(stdout).toMatch(new RegExp(`  ${name} +${fires}`));
  expect(stdout).toContain("subject tool_name · may block, stop, ask · honours tool_input");
});

test("--json has every column a program may want", async () => {
  const { stdout } = await new Machine().cli(["events", "--json"]);
  expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(Object.keys(EVENTS));
});

test("one event is shown in full, the same every time", async () => {
  const machine = new Machine();
  const [once, twice] = [
    await machine.cli(["events", "AfterTool", "--json"]),
    await machine.cli(["events", "AfterTool", "--json"]),
  ];
  expect(twice).toEqual(once);
  const { sample, may, subject } = JSON.parse(once.stdout);
  const { AfterTool } = EVENTS;
  expect({ sample, may, subject }).toEqual({
    sample: AfterTool.sample,
    may: AfterTool.may,
    subject: AfterTool.subject,
  });
});

test("its input fields are listed with type and meaning", async () => {
  const { stdout } = await new Machine().cli(["events", "BeforeTool"]);
  expect(stdout).toMatch(/^ {2}tool_name +string +the tool, by the name that the hook's matcher matched$/m);
  expect(stdout).toMatch(/^ {2}tool_input\? +object +its arguments$/m);
});
