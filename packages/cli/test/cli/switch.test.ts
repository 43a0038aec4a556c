import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE, SYSTEM_FILE, USER_FILE } from "../support/machine.ts";

const COMMENTED = `{
  // what guards us
  "hooks": { "BeforeTool": [ { "hooks": [
    { "type": "command", "name": "check", "command": "true", "timeout": "5s" } // quick
  ] } ] } // the end
}
`;

test("a project hook is switched in the project's file, comments kept, without trust", async () => {
  const machine = new Machine({ [PROJECT_FILE]: COMMENTED });
  const off = await machine.run(["disable", "check"]);
  expect([off.code, off.stdout]).toEqual([
    0,
    "✓ check (BeforeTool) is off .hookline/settings.json:4\n  wrote .hookline/settings.json\n",
  ]);
  expect(machine.read(PROJECT_FILE)).toBe(
    COMMENTED.replace("} ] } // the end\n", '} ] }, // the end\n  "hooksConfig": { "disabled": ["check"] }\n'),
  );
  expect(machine.has(USER_FILE)).toBe(false);
  expect((await machine.run(["disable", "check"])).stdout).toContain("is already off");
  const on = await machine.run(["enable", "check", "--json"]);
  expect(JSON.parse(on.stdout)).toMatchObject({
    name: "check",
    wanted: "on",
    bearers: [{ state: "on", layer: "project" }],
  });
});

test("a YAML hook of the project is switched there too, in a new file", async () => {
  const yaml =
    "id: tracker\nevent_type: SessionStop\nenabled: true\nblocking: false\nhandler: { kind: script, command: 'true', timeout: 5s }\n";
  const machine = new Machine({ "project/.system/hooks/tracker.yaml": yaml });
  expect((await machine.run(["disable", "tracker"])).code).toBe(0);
  expect(JSON.parse(machine.read(PROJECT_FILE))).toEqual({ hooksConfig: { disabled: ["tracker"] } });
});

test("a hook of yours, from either family of files, is switched in your own file", async () => {
  const machine = new Machine({
    "home/.gemini/settings.json": hooksOn("BeforeTool", [{ name: "mine", command: "true" }]),
  });
  expect((await machine.run(["disable", "mine"])).code).toBe(0);
  expect(JSON.parse(machine.read(USER_FILE))).toEqual({ hooksConfig: { disabled: ["mine"] } });
  expect((await machine.run(["enable", "mine"])).code).toBe(0);
  expect(JSON.parse(machine.read(USER_FILE))).toEqual({ hooksConfig: { disabled: [] } });
});

test("all bearers that can be reached are switched; the system's is named, and that is a failure", async () => {
  const settings = hooksOn("BeforeTool", [{ name: "shared", command: "true" }]);
  const machine = new Machine({ [PROJECT_FILE]: settings, [USER_FILE]: settings, [SYSTEM_FILE]: settings });
  const { code, stdout } = await machine.run(["disable", "shared", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).bearers.map(({ layer, state }: Record<string, unknown>) => [layer, state])).toEqual([
    ["project", "off"],
    ["user", "off"],
    ["system", "on"],
  ]);
  const text = await machine.run(["disable", "shared"]);
  expect(text.stdout).toContain("a system hook; neither your settings nor the project's can switch it");
});

test("what keeps a hook off beyond our files is named when it is enabled", async () => {
  const yaml =
    "id: tracker\nevent_type: SessionStop\nenabled: false\nblocking: false\nhandler: { kind: script, command: 'true', timeout: 5s }\n";
  const machine = new Machine({ "project/.system/hooks/tracker.yaml": yaml });
  const { code, stdout } = await machine.run(["enable", "tracker"]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining("enabled: false at .system/hooks/tracker.yaml:3:1; change it there"),
  ]);
});

test("a project hook that you switched off in your own file can be enabled again", async () => {
  const machine = new Machine({
    [PROJECT_FILE]: COMMENTED,
    [USER_FILE]: { hooksConfig: { disabled: ["check", "x"] } },
  });
  expect((await machine.run(["enable", "check"])).code).toBe(0);
  expect(JSON.parse(machine.read(USER_FILE))).toEqual({ hooksConfig: { disabled: ["x"] } });
  expect(machine.read(PROJECT_FILE)).toBe(COMMENTED);
});

test("a file with a syntax error is left as it is", async () => {
  const machine = new Machine({
    "home/.gemini/settings.json": hooksOn("BeforeTool", [{ name: "mine", command: "true" }]),
    [USER_FILE]: '{ "hooks": ',
  });
  const { code, stderr } = await machine.run(["disable", "mine"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("settings.json:1:")]);
  expect(machine.read(USER_FILE)).toBe('{ "hooks": ');
});

test("a settings file that is a link stays one", async () => {
  const machine = new Machine({
    "dotfiles/settings.json": hooksOn("BeforeTool", [{ name: "mine", command: "true" }]),
    "home/.hookline/x": "",
  });
  symlinkSync("../../dotfiles/settings.json", `${machine.home}/.hookline/settings.json`);
  expect((await machine.run(["disable", "mine"])).code).toBe(0);
  expect(JSON.parse(machine.read("dotfiles/settings.json"))).toMatchObject({ hooksConfig: { disabled: ["mine"] } });
});

test("a typo gets the nearest name", async () => {
  const { code, stderr } = await new Machine({ [PROJECT_FILE]: COMMENTED }).run(["disable", "chekc"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('Did you mean "check"?')]);
});
