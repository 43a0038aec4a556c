import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Extension } from "../../src/config/layers/loadedSettings.ts";
import { type Config, SettingsConfig } from "../../src/hooks/config.ts";
import { HookSystem } from "../../src/hooks/hookSystem.ts";
import { CALL, commandHook, temporaryFolder, testSystem } from "../support/system.ts";

/** The two ways by which a program hands its extensions over. */
const WAYS: readonly [string, (extensions: readonly Extension[] | undefined) => HookSystem | undefined][] = [
  ["a Config", (extensions) => new HookSystem(configWith(extensions), { trust: "all" })],
  [
    "a SettingsConfig",
    (extensions = []) => {
      const [workingDir, homeDir] = [temporaryFolder(), temporaryFolder()];
      return new SettingsConfig({ workingDir, homeDir, systemFile: join(homeDir, "none"), extensions }).getHookSystem();
    },
  ],
];

function configWith(extensions: readonly Extension[] | undefined): Config {
  const workingDir = temporaryFolder();
  return {
    getSessionId: () => "s",
    getWorkingDir: () => workingDir,
    getTranscriptPath: () => "",
    getHooks: () => undefined,
    getEnableHooks: () => true,
    getExtensions: () => extensions,
    getHookSystem: () => undefined,
  };
}

async function started(system: HookSystem | undefined): Promise<HookSystem> {
  if (!system) throw new Error("hooks are on");
  onTestFinished(() => system.dispose());
  await system.initialize();
  return system;
}

function names(system: HookSystem): readonly string[] {
  const entries = system.getRegistry().getAllHooks();
  return entries.map(({ config: { name }, source }) => `${name} ${source}`);
}

describe.each(WAYS)("hooks that an extension has without a file, handed over by %s", (_way, open) => {
  test("run where the extension is active, also without a path", async () => {
    const blocks = commandHook("BeforeTool", "echo no >&2; exit 2", { name: "inline" });
    const system = await started(
      open([
        { name: "on", isActive: true, hooks: blocks },
        { name: "off", isActive: false, hooks: commandHook("BeforeTool", "true", { name: "off" }) },
        { name: "empty", isActive: true },
      ]),
    );
    expect(names(system)).toEqual(["inline extensions"]);
    const { finalOutput } = await system.getEventHandler().fireBeforeToolEvent(CALL);
    expect(finalOutput).toMatchObject({ decision: "block", reason: "no" });
  });

  test("add up with those of its file, and their relative commands are found in its folder", async () => {
    const path = temporaryFolder();
    mkdirSync(join(path, "hooks"));
    writeFileSync(join(path, "guard.sh"), "#!/bin/sh\necho from the folder >&2; exit 2\n");
    chmodSync(join(path, "guard.sh"), 0o755);
    const file = { hooks: commandHook("BeforeTool", "true", { name: "from the file" }) };
    writeFileSync(join(path, "hooks/hooks.json"), JSON.stringify(file));
    const hooks = commandHook("BeforeTool", "./guard.sh", { name: "inline" });
    const system = await started(open([{ name: "both", path, isActive: true, hooks }]));
    expect(names(system)).toEqual(["inline extensions", "from the file extensions"]);
    const { finalOutput } = await system.getEventHandler().fireBeforeToolEvent(CALL);
    expect(finalOutput).toMatchObject({ decision: "block", reason: "from the folder" });
  });

  test("are reported like those of a file where they are wrong", async () => {
    const hooks = { ...commandHook("BeforeTool", "./guard.sh", { name: "lost" }), BeforeTol: [] };
    const system = await started(open([{ name: "shop", isActive: true, hooks }]));
    expect(system.getStatus().problems.map(({ where, what }) => `${where.file}: ${what}`)).toEqual([
      'extension shop: "./guard.sh" was not found; its extension has no path to look in.',
      expect.stringMatching(/^extension shop: .*BeforeTol/),
    ]);
  });
});

test("no extensions at all are no reason to fail", async () => {
  expect(names(await started(new HookSystem(configWith(undefined), {})))).toEqual([]);
});

test.each([
  ["a hole in the list", [null], "getExtensions()[0] must be an object, got null."],
  ["a text", ["audit"], "getExtensions()[0] must be an object, got string."],
  ["no list", { audit: {} }, "getExtensions() must be a list, got object."],
  ["a path that is not a text", [{ isActive: true, path: 7 }], "getExtensions()[0].path must be a string, got number."],
])("%s keeps the system from starting, with the reason", async (_what, given, what) => {
  const config = { ...configWith([]), getExtensions: () => given as never };
  const refusal = { code: "OPTION_INVALID", what, next: expect.stringContaining("Return a list of { name, path") };
  await expect(new HookSystem(config, {}).initialize()).rejects.toMatchObject(refusal);
});

test("hooks that are not JSON keep the system from starting, with the reason", async () => {
  const hooks: Record<string, unknown> = {};
  hooks.BeforeTool = hooks;
  const system = new HookSystem(configWith([{ name: "round", isActive: true, hooks }]), {});
  await expect(system.initialize()).rejects.toMatchObject({
    where: { file: "extension round" },
    what: expect.stringContaining("The hooks cannot be written as JSON: Converting circular structure to JSON."),
    next: expect.stringContaining("Pass plain JSON objects."),
  });
});

describe("the places of an extension, as variables, are filled in", () => {
  const VARIABLE = `\${extensionPath}`;
  const SLASH = `\${/}`;
  const SPELLINGS: readonly [string, string][] = [
    ["alone", `${VARIABLE}/say.sh`],
    ["in quotes", `"${VARIABLE}/say.sh"`],
    ["after an interpreter", `sh ${VARIABLE}/say.sh`],
    ["in a nested command", `echo "$(sh "${VARIABLE}/say.sh")"`],
    ["in a shell's argument", `sh -c 'sh "${VARIABLE}/say.sh"'`],
    ["in a variable", 'sh "$SCRIPT"'],
    ["with the separator", `${VARIABLE}${SLASH}say.sh`],
    ["with the separator in quotes", `sh "${VARIABLE}${SLASH}say.sh"`],
    ["with the separator by its name", `sh "${VARIABLE}\${pathSeparator}say.sh"`],
    ["with separators in a nested command", `echo "$(sh "${VARIABLE}${SLASH}/say.sh")"`],
  ];

  test.each(SPELLINGS)("%s", async (_where, command) => {
    const path = join(temporaryFolder(), "an extension");
    mkdirSync(join(path, "hooks"), { recursive: true });
    writeFileSync(join(path, "say.sh"), `#!/bin/sh\necho '{"decision":"deny","reason":"it ran"}'\n`);
    chmodSync(join(path, "say.sh"), 0o755);
    const hooks = commandHook("BeforeTool", command, { env: { SCRIPT: `${VARIABLE}/say.sh` } });
    writeFileSync(join(path, "hooks/hooks.json"), JSON.stringify({ hooks }));
    const system = await started(new HookSystem(configWith([{ name: "e", path, isActive: true }]), {}));
    const { finalOutput } = await system.getEventHandler().fireBeforeToolEvent(CALL);
    expect(finalOutput?.reason).toBe("it ran");
  });

  test.each([
    ["in a command", `echo \${workspacePath} >&2; exit 2`],
    ["in a nested command", `sh -c 'echo "$workspacePath" >&2'; exit 2`],
    ["in the hook's env", 'echo "$WHERE" >&2; exit 2'],
  ])("the folder of the session, %s", async (_where, command) => {
    const hooks = commandHook("BeforeTool", command, { env: { WHERE: `\${workspacePath}` } });
    const config = configWith([{ name: "e", path: temporaryFolder(), isActive: true, hooks }]);
    const system = await started(new HookSystem(config, {}));
    const { finalOutput } = await system.getEventHandler().fireBeforeToolEvent(CALL);
    expect(finalOutput?.reason).toBe(config.getWorkingDir());
  });

  test("not in a project's hook, whose separator stays as written", async () => {
    const { handler } = await testSystem(commandHook("BeforeTool", `printf %s '${SLASH}' >&2; exit 2`));
    expect((await handler.fireBeforeToolEvent(CALL)).finalOutput?.reason).toBe(SLASH);
  });

  test("in the path of a plugin", async () => {
    const path = temporaryFolder();
    writeFileSync(join(path, "guard.mjs"), `export default () => ({ decision: "deny", reason: "it ran" });\n`);
    const hooks = { BeforeTool: [{ hooks: [{ type: "plugin", module: `${VARIABLE}${SLASH}guard.mjs` }] }] };
    const system = await started(new HookSystem(configWith([{ name: "e", path, isActive: true, hooks }]), {}));
    const { finalOutput } = await system.getEventHandler().fireBeforeToolEvent(CALL);
    expect(finalOutput?.reason).toBe("it ran");
  });
});
