import { expect, test } from "vitest";
import { Machine } from "../support/machine.ts";

const FOLDER = "project/.system/abilities";
const FILES = {
  // A script that leaves a trace when it is started: nothing here may start it.
  "project/deploy.sh": "#!/bin/sh\ntouch started\n",
  [`${FOLDER}/a.yaml`]:
    "id: deploy\nsummary: Deploys it.\noperation_keys: [ship.it]\nimplementation: { kind: script, command: ./deploy.sh }\n",
  [`${FOLDER}/b.yaml`]:
    "id: ping\nsummary: Pings.\nenabled: false\nimplementation: { kind: http, url: https://x.example/ping }\n",
  [`${FOLDER}/c.yaml`]: "id: lost\nsummary: Gone.\nimplementation: { kind: script, command: ./gone.sh }\n",
};

const columns = (text: string) => text.split("\n").map((line) => line.split(/ {2,}/));

test("list shows every ability with its keys, and why some cannot be run; nothing is started", async () => {
  const machine = new Machine(FILES);
  const { code, stdout } = await machine.run(["list"]);
  expect(code).toBe(0);
  expect(columns(stdout)).toEqual([
    ["No hooks are declared here."],
    [""],
    ["ability", "kind", "enabled", "operation_keys", "source"],
    ["deploy", "script", "untrusted", "ship.it", ".system/abilities/a.yaml:1"],
    ["ping", "http", "false", "-", ".system/abilities/b.yaml:1"],
    ["", "off: enabled: false"],
    ["lost", "script", "broken", "-", ".system/abilities/c.yaml:1"],
    ["", expect.stringContaining('off: "./gone.sh" was not found')],
    [""],
    ["1 ability not trusted: run `hookline trust`"],
    ["1 error: run `hookline validate`"],
    [""],
  ]);
  expect(machine.has("project/started")).toBe(false);
});

test("list --json tells the same to programs, and a trusted one is on", async () => {
  const machine = new Machine(FILES);
  await machine.run(["trust", "--yes"]);
  const { abilities } = JSON.parse((await machine.run(["list", "--json"])).stdout);
  expect(abilities).toMatchObject([
    { id: "deploy", summary: "Deploys it.", kind: "script", state: "on", enabled: true, operation_keys: ["ship.it"] },
    { id: "ping", kind: "http", state: "off", enabled: false, reason: "enabled: false" },
    { id: "lost", state: "broken", reason: expect.stringContaining("was not found") },
  ]);
});
