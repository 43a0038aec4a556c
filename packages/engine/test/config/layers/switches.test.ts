import { expect, test } from "vitest";
import { reaches } from "../../../src/config/layers/switches.ts";
import { type ConfigSource, type FileFamily, RUNNING_ORDER } from "../../../src/config/values/configSource.ts";
import { oneHook, PROJECT_FILE, SYSTEM_SETTINGS, USER_FILE, workspace } from "../workspace.ts";

const REACH: Readonly<Record<ConfigSource, readonly ConfigSource[]>> = {
  runtime: ["project", "user", "system", "extensions"],
  project: ["project"],
  user: ["project", "user", "extensions"],
  system: ["project", "user", "system", "extensions"],
  extensions: ["extensions"],
};

const directions = RUNNING_ORDER.flatMap((from) =>
  RUNNING_ORDER.map((to) => ({ from, to, may: REACH[from].includes(to) })),
);

test.each(directions)("a switch of $from reaches hooks of $to: $may", ({ from, to, may }) => {
  expect(reaches({ source: from, family: "hookline" }, { source: to, family: "hookline" })).toBe(may);
});

test.each<{ from: FileFamily; to: FileFamily; may: boolean }>([
  { from: "hookline", to: "hookline", may: true },
  { from: "hookline", to: "gemini", may: true },
  { from: "gemini", to: "gemini", may: true },
  { from: "gemini", to: "hookline", may: false },
])("a switch in a .$from file reaches hooks of .$to files: $may", ({ from, to, may }) => {
  expect(reaches({ source: "user", family: from }, { source: "user", family: to })).toBe(may);
});

const YAML_FILE = "project/.system/hooks/y.yaml";
const FILES = {
  [PROJECT_FILE]: "project",
  "project/.gemini/settings.json": "project-gemini",
  [USER_FILE]: "user",
  "home/.gemini/settings.json": "user-gemini",
  [SYSTEM_SETTINGS]: "system",
  "home/.hookline/extensions/x/hooks/hooks.json": "extension",
};
const ALL = ["project", "project-gemini", "yaml", "user", "user-gemini", "system", "extension"];

test.each([
  [PROJECT_FILE, ["project", "project-gemini", "yaml"]],
  ["project/.gemini/settings.json", ["project-gemini"]],
  [USER_FILE, ["project", "project-gemini", "yaml", "user", "user-gemini", "extension"]],
  ["home/.gemini/settings.json", ["project-gemini", "user-gemini"]],
  [SYSTEM_SETTINGS, ALL],
  ["home/.hookline/extensions/x/hooks/hooks.json", ["extension"]],
])("%s turns off %j and nothing else, by either name of the switch", async (file, expected) => {
  for (const off of [{ hooksConfig: { enabled: false } }, { tools: { enableHooks: false } }]) {
    const settings = Object.entries(FILES).map(([path, name]) => [path, oneHook({ name }, path === file ? off : {})]);
    const yaml = "id: yaml\nevent_type: BeforeTool\nhandler: { kind: script, command: 'true' }\n";
    const space = await workspace({ ...Object.fromEntries(settings), [YAML_FILE]: yaml });
    const { hooks, problems } = await space.load();
    expect(problems).toEqual([]);
    expect(hooks.map(({ name }) => name)).toEqual(ALL);
    expect(hooks.filter((hook) => hook.off !== undefined).map(({ name }) => name)).toEqual(expected);
  }
});

test("a hook that is switched off says by what and where", async () => {
  const space = await workspace({
    [USER_FILE]: `{ "hooksConfig": {\n "disabled": ["log"] } }`,
    [PROJECT_FILE]: oneHook({ name: "log" }),
  });
  const { hooks } = await space.load();
  expect(space.relative(hooks[0]?.off)).toEqual({
    kind: "switch",
    by: { file: USER_FILE, line: 2, column: 15 },
    what: 'hooksConfig.disabled: "log"',
  });
});

test("turning hooks on turns nothing on that another layer turned off", async () => {
  const space = await workspace({
    [USER_FILE]: { hooksConfig: { enabled: false } },
    [PROJECT_FILE]: oneHook({ name: "log" }, { hooksConfig: { enabled: true } }),
  });
  const { hooks } = await space.load();
  expect(hooks).toMatchObject([{ name: "log", off: { kind: "switch" } }]);
});

test("of the two names of the switch in one file the newer counts, and the contradiction is told", async () => {
  const space = await workspace({
    [USER_FILE]: oneHook({ name: "g" }, { hooksConfig: { enabled: true }, tools: { enableHooks: false } }),
  });
  const { hooks, problems } = await space.load();
  expect(hooks[0]?.off).toBeUndefined();
  expect(problems.map(({ what }) => what)).toEqual([
    '"tools.enableHooks" says false and "hooksConfig.enabled" says true; the latter applies.',
  ]);
});

test.each([
  [{ enabled: "false" }, '"hooksConfig.enabled" cannot be "false"; it is ignored.'],
  [{ disabled: "g" }, '"hooksConfig.disabled" cannot be "g"; it is ignored.'],
  [{ disabled: [1] }, '"hooksConfig.disabled" cannot hold 1; it is ignored.'],
  [{ enable: false }, '"enable" is not a key of "hooksConfig". Did you mean "enabled"?'],
  [{ disabled: ["gg"] }, 'There is no hook named "gg". Did you mean "g"?'],
])("%j is reported, and hooks stay on", async (hooksConfig, said) => {
  const space = await workspace({ [USER_FILE]: oneHook({ name: "g" }, { hooksConfig }) });
  const { hooks, problems } = await space.load();
  expect(problems.map(({ what }) => what)).toEqual([said]);
  expect(hooks[0]?.off).toBeUndefined();
});
