import { chmodSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { TrustPolicy, TrustRequest } from "../../src/config/trust/trustGate.ts";
import { TrustStore } from "../../src/config/trust/trustStore.ts";
import { SettingsConfig } from "../../src/hooks/config.ts";
import type { HookRecord } from "../../src/hooks/record/recorder.ts";
import { holdsResponse } from "../../src/hooks/triggers/model.ts";
import { eventually } from "../support/fixtures.ts";
import { CALL, commandHook, temporaryFolder } from "../support/system.ts";

const YES: TrustPolicy = () => true;

/** A project with one guard script that a person can trust, change and remove. */
function project() {
  const [dir, home] = [temporaryFolder(), temporaryFolder()];
  const script = (body: string) => {
    writeFileSync(join(dir, "guard.sh"), `#!/bin/sh\n${body}\n`);
    chmodSync(join(dir, "guard.sh"), 0o755);
  };
  const settings = (hooks: unknown) => {
    mkdirSync(join(dir, ".hookline"), { recursive: true });
    writeFileSync(join(dir, ".hookline", "settings.json"), JSON.stringify({ hooks }));
  };
  script("echo '{}'");
  settings(commandHook("BeforeTool", "./guard.sh", { name: "guard" }));
  const start = async (trust?: TrustPolicy, options: { watch?: boolean } = {}) => {
    const records: HookRecord[] = [];
    const config = new SettingsConfig({
      workingDir: dir,
      homeDir: home,
      systemFile: join(home, "none"),
      recorder: { record: (record) => void records.push(record) },
      ...options,
      ...(trust === undefined ? {} : { trust }),
    });
    const system = config.getHookSystem();
    if (!system) throw new Error("hooks are on");
    onTestFinished(() => system.dispose());
    await system.initialize();
    return { system, config, records, fire: () => system.getEventHandler().fireBeforeToolEvent(CALL) };
  };
  return { dir, home, script, settings, start, store: new TrustStore(home) };
}

describe("at start", () => {
  test("untrusted hooks are refused, with their names and places, and nothing runs", async () => {
    const { start, dir } = project();
    await expect(start()).rejects.toMatchObject({
      code: "TRUST_REQUIRED",
      what: expect.stringContaining(`guard (BeforeTool) at ${dir}/.hookline/settings.json:1:`),
      next: expect.stringContaining("hookline trust"),
    });
  });

  test("a person who says yes is not asked again", async () => {
    const { start, store, dir } = project();
    const asked: TrustRequest[] = [];
    await start((request) => asked.push(request) > 0);
    expect(asked).toMatchObject([{ projectRoot: dir, reason: "new", hooks: [{ name: "guard" }] }]);
    expect(Object.values(store.read(dir).hooks)).toMatchObject([{ name: "guard", event: "BeforeTool" }]);
    expect((await (await start()).fire()).success).toBe(true);
  });

  test("on no, and with skip, the session goes on without, and says so", async () => {
    for (const policy of [() => false, "skip"] as const) {
      const { start } = project();
      const { system, fire, records } = await start(policy);
      expect(system.getStatus()).toMatchObject({ enabledHooks: 0, untrusted: ["guard"] });
      expect((await fire()).finalOutput).toBeUndefined();
      expect(records.filter(({ kind }) => kind === "hookSkipped")).toMatchObject([
        { reason: expect.stringContaining("not trusted") },
      ]);
    }
  });

  test("all trusts what is there for that run, and stores nothing", async () => {
    const { start, store } = project();
    expect((await (await start("all")).fire()).success).toBe(true);
    expect(store.list()).toEqual([]);
    await expect(start()).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
  });

  test("a changed script, and a changed definition, need trust again", async () => {
    const { start, script, settings } = project();
    await start(YES);
    script('echo \'{"decision":"allow"}\'');
    await expect(start()).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
    await start(YES);
    settings(commandHook("BeforeTool", "./guard.sh", { name: "guard", env: { LD_PRELOAD: "x" } }));
    await expect(start()).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
  });

  test("a hook trusted earlier and no longer declared is named once, not blocked on", async () => {
    const { start, settings } = project();
    await start(YES);
    settings({});
    expect((await start()).system.getStatus().notices).toEqual([
      expect.stringMatching(/^"guard" .* is no longer declared/),
    ]);
    expect((await start()).system.getStatus().notices).toEqual([]);
  });

  test("a hook that is switched off is still declared, and still trusted when it is switched on again", async () => {
    const { start, settings, dir } = project();
    await start(YES);
    const hooks = commandHook("BeforeTool", "./guard.sh", { name: "guard" });
    const other = {
      BeforeTool: [...(hooks.BeforeTool ?? []), { hooks: [{ type: "command", command: "true", name: "other" }] }],
    };
    writeFileSync(
      join(dir, ".hookline", "settings.json"),
      JSON.stringify({ hooks: other, hooksConfig: { disabled: ["guard"] } }),
    );
    expect((await start(YES)).system.getStatus().notices).toEqual([]);
    settings(other);
    expect((await start()).system.getStatus()).toMatchObject({ enabledHooks: 2, notices: [] });
  });

  test("user hooks are unaffected by an untrusted project", async () => {
    const { start, home } = project();
    mkdirSync(join(home, ".hookline"));
    writeFileSync(
      join(home, ".hookline", "settings.json"),
      JSON.stringify({ hooks: commandHook("BeforeTool", "exit 2") }),
    );
    expect((await (await start("skip")).fire()).finalOutput).toMatchObject({ decision: "block" });
  });

  test("a trust file that cannot be read trusts nothing, and says what to do", async () => {
    const { start, home, dir } = project();
    await start(YES);
    const folder = join(home, ".hookline", "trust");
    const { readdirSync } = await import("node:fs");
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "{");
    await expect(start()).rejects.toMatchObject({
      code: "CONFIG_SYNTAX",
      next: expect.stringContaining("Remove the file"),
    });
    expect(dir).toBeTruthy();
  });
});

describe("during a session", () => {
  test("a guard that was changed blocks its events until a person confirms", async () => {
    const { start, script, dir, store } = project();
    const { fire } = await start(YES);
    expect((await fire()).finalOutput).toMatchObject({ decision: "allow" });
    const again = await start();
    script('echo \'{"systemMessage":"changed"}\'');
    expect(await again.fire()).toMatchObject({
      success: false,
      errors: [{ code: "HOOK_CHANGED" }],
      finalOutput: { decision: "block", reason: expect.stringContaining("was changed after it was trusted") },
    });
    const later = await start(YES); // somebody says yes elsewhere: a person in another terminal, or this session's own shell
    expect(Object.keys(store.read(dir).hooks)).toHaveLength(1);
    expect((await later.fire()).finalOutput).toMatchObject({ decision: "allow", systemMessage: "changed" });
    expect((await again.fire()).finalOutput).toMatchObject({ decision: "block" });
  });

  test("a person in the session is asked once, even by many events at once", async () => {
    const { start, script } = project();
    const asked: string[] = [];
    const { fire } = await start(async ({ reason }) => {
      asked.push(reason);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return true;
    });
    script('echo \'{"systemMessage":"changed"}\'');
    const results = await Promise.all([fire(), fire(), fire()]);
    expect(results.map(({ finalOutput }) => finalOutput?.systemMessage)).toEqual(["changed", "changed", "changed"]);
    expect(asked).toEqual(["new", "changed"]);
    await start(); // the yes is kept
  });

  test("of two hooks with the same name, the one that vanishes is missed", async () => {
    const { start, settings } = project();
    const twice = (commands: string[]) => ({
      BeforeTool: [{ hooks: commands.map((command) => ({ type: "command", command, name: "same" })) }],
    });
    settings(twice(["./guard.sh", "true"]));
    const { system, fire } = await start("all");
    settings(twice(["true"]));
    await system.reload();
    expect((await fire()).finalOutput).toMatchObject({ decision: "block" });
  });

  test("a trust file that cannot be read any more lets no changed guard through", async () => {
    const { start, script, home } = project();
    await start(YES);
    const { fire } = await start();
    const { readdirSync } = await import("node:fs");
    const folder = join(home, ".hookline", "trust");
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "{");
    script("echo changed");
    expect((await fire()).finalOutput).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("was changed after it was trusted"),
    });
  });

  test("a script that was removed blocks; one that was only touched does not", async () => {
    const { start, script, dir } = project();
    const { fire } = await start("all");
    script("echo '{}'");
    expect((await fire()).finalOutput).toMatchObject({ decision: "allow" });
    rmSync(join(dir, "guard.sh"));
    expect((await fire()).finalOutput).toMatchObject({ decision: "block" });
  });

  test("on an event that cannot block, a changed hook is not run, and that is said", async () => {
    const { start, script, settings } = project();
    settings(commandHook("SessionEnd", "./guard.sh", { name: "guard" }));
    const { system } = await start("all");
    script("echo changed");
    const result = await system.getEventHandler().fireSessionEndEvent({ reason: "exit" });
    expect(result).toMatchObject({ success: false, errors: [{ code: "HOOK_CHANGED" }] });
    expect(result.finalOutput).toBeUndefined();
  });

  test("a guard that a reload finds removed, disabled or weakened keeps blocking until a person confirms", async () => {
    const weaker = [
      {},
      commandHook("BeforeTool", "./guard.sh", { name: "guard", mode: "observe" }),
      commandHook("AfterTool", "./guard.sh", { name: "guard" }),
    ];
    for (const hooks of weaker) {
      const { start, settings } = project();
      const { system, fire } = await start("all");
      settings(hooks);
      await system.reload();
      expect((await fire()).finalOutput).toMatchObject({
        decision: "block",
        reason: expect.stringContaining("was changed or removed"),
      });
      expect(system.getStatus().notices).toEqual([
        expect.stringContaining('"guard" (BeforeTool) was changed or removed'),
      ]);
    }
  });

  test("a guard of the response that a reload finds removed still holds it back: it is going to block", async () => {
    const { start, settings } = project();
    settings(commandHook("AfterModel", "./guard.sh", { name: "guard", hold: true }));
    const { system, config } = await start("all");
    expect(holdsResponse(config)).toBe(true);
    settings({});
    await system.reload();
    expect(holdsResponse(config)).toBe(true);
  });

  test("a person's yes to the removal lets it go", async () => {
    const { start, settings } = project();
    const asked: string[] = [];
    const { system, fire } = await start(({ reason }) => asked.push(reason) > 0);
    settings({});
    await system.reload();
    expect(asked).toEqual(["new", "removed"]);
    expect((await fire()).finalOutput).toBeUndefined();
  });

  test("a hook that appears during a session does not run before somebody trusts it", async () => {
    const { start, settings, dir } = project();
    const { system, fire } = await start("all");
    const both = [...(commandHook("BeforeTool", "./guard.sh", { name: "guard" }).BeforeTool ?? [])];
    settings({ BeforeTool: [...both, { hooks: [{ type: "command", command: "touch ran", name: "new" }] }] });
    await system.reload();
    await fire();
    expect(system.getStatus().untrusted).toEqual(["new"]);
    const { existsSync } = await import("node:fs");
    expect(existsSync(join(dir, "ran"))).toBe(false);
  });
});

test("an untrusted project has no say in how the user's hooks run", async () => {
  const { start, home, dir } = project();
  const long = JSON.stringify({ decision: "deny", reason: "x".repeat(80 * 1024) });
  mkdirSync(join(home, ".hookline"));
  writeFileSync(join(home, ".hookline", "long.json"), long);
  const hooks = commandHook("BeforeTool", `cat ${join(home, ".hookline", "long.json")}`);
  writeFileSync(join(home, ".hookline", "settings.json"), JSON.stringify({ hooks }));
  const own = { hooks: commandHook("BeforeTool", "./guard.sh"), hooksConfig: { outputLimit: "64KiB" } };
  writeFileSync(join(dir, ".hookline", "settings.json"), JSON.stringify(own));
  expect(await (await start("skip")).fire()).toMatchObject({ success: true, finalOutput: { decision: "block" } });
  expect(await (await start("all")).fire()).toMatchObject({ success: false, finalOutput: { decision: "block" } });
});

test("what a guard allows does not count where its file was swapped and put back, though another run looked at it since", async () => {
  const { dir, script, start } = project();
  script(": > started.$$; while [ ! -e release ]; do sleep 0.05; done; echo '{}'");
  const { fire } = await start(YES);
  const started = (count: number) => () =>
    readdirSync(dir).filter((name) => name.startsWith("started.")).length === count;
  const first = fire();
  await eventually(started(1));
  linkSync(join(dir, "guard.sh"), join(dir, "kept.sh"));
  writeFileSync(join(dir, "other.sh"), "#!/bin/sh\n");
  renameSync(join(dir, "other.sh"), join(dir, "guard.sh"));
  renameSync(join(dir, "kept.sh"), join(dir, "guard.sh"));
  const second = fire();
  await eventually(started(2));
  writeFileSync(join(dir, "release"), "");
  const outputs = (await Promise.all([first, second])).map(({ finalOutput }) => finalOutput);
  expect(outputs.map((output) => output?.isBlockingDecision() ?? false)).toEqual([true, false]);
  expect(outputs[0]?.getEffectiveReason()).toContain("was changed while it ran");
});

describe("a guard whose folder was exchanged for another while it was started, and put back", () => {
  const EXCHANGE = "mv hooks aside; mkdir hooks; rmdir hooks; mv aside hooks";
  const REPLACE_LINK = "ln -s hooks other; mv link kept; mv other link; mv kept link";

  test.each([
    ["a script", { type: "command", command: "hooks/guard.sh" }, EXCHANGE],
    ["a script behind a link", { type: "command", command: "link/guard.sh" }, REPLACE_LINK],
    ["a worker", { type: "worker", command: "hooks/worker.sh" }, EXCHANGE],
    ["a plugin", { type: "plugin", module: "hooks/plugin.mjs" }, EXCHANGE],
  ])("does not allow anything, and the next one is started anew: %s", async (_, hook, swap) => {
    const { dir, settings, start } = project();
    // The first of them does what another program would do in that moment.
    const begin = `if [ ! -e began ]; then : > began; ${swap}; fi`;
    const files = {
      "guard.sh": `${begin}\necho '{}'`,
      "worker.sh": `${begin}\nwhile read -r line; do id=\${line#*'"id":'}; echo "{\\"id\\":\${id%%,*},\\"output\\":{}}"; done`,
      "plugin.mjs": `import { execSync } from "node:child_process";\nexecSync(${JSON.stringify(begin)}, { cwd: ${JSON.stringify(dir)} });\nexport default () => ({});`,
    };
    mkdirSync(join(dir, "hooks"));
    symlinkSync("hooks", join(dir, "link"));
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(dir, "hooks", name), name.endsWith(".sh") ? `#!/bin/sh\n${text}\n` : text, { mode: 0o755 });
    settings({ BeforeTool: [{ hooks: [{ name: "guard", timeout: "10s", ...hook }] }] });
    const { fire } = await start(YES);
    const first = await fire();
    expect(first.finalOutput?.getEffectiveReason()).toContain("was changed while it ran");
    expect(first.finalOutput?.isBlockingDecision()).toBe(true);
    for (const next of [await fire(), await fire()]) expect(next).toMatchObject({ success: true, errors: [] });
  });

  test("does not stand in the way where the folder was made anew between two events, as a checkout does", async () => {
    const { dir, settings, start } = project();
    // The old one stays until the new one is there, so that it cannot get the same inode.
    const checkOut = () => {
      mkdirSync(join(dir, "new"));
      writeFileSync(join(dir, "new/guard.sh"), "#!/bin/sh\necho '{}'\n", { mode: 0o755 });
      renameSync(join(dir, "hooks"), join(dir, "old"));
      renameSync(join(dir, "new"), join(dir, "hooks"));
      rmSync(join(dir, "old"), { recursive: true });
    };
    mkdirSync(join(dir, "hooks"));
    checkOut();
    settings(commandHook("BeforeTool", "hooks/guard.sh", { name: "guard" }));
    const { fire } = await start(YES);
    for (let round = 0; round < 3; round++) {
      expect(await fire()).toMatchObject({ success: true, errors: [] });
      checkOut();
    }
  });

  test("is not heard later either, when the next one has been started anew", async () => {
    const { dir, settings, start } = project();
    mkdirSync(join(dir, "hooks"));
    // The first one has both requests when its folder is exchanged. It answers the second at once, and the first when a file says so.
    const lines = [
      "#!/bin/sh",
      `allow() { id=\${1#*'"id":'}; echo "{\\"id\\":\${id%%,*},\\"output\\":{}}"; }`,
      "if [ ! -e began ]; then",
      `  : > began; read -r first; read -r second; ${EXCHANGE}; allow "$second"`,
      '  ( until [ -e late ]; do sleep 0.05; done; allow "$first" ) &',
      "fi",
      'while read -r line; do allow "$line"; done',
    ];
    writeFileSync(join(dir, "hooks/worker.sh"), `${lines.join("\n")}\n`, { mode: 0o755 });
    const hook = { name: "guard", type: "worker", command: "hooks/worker.sh", timeout: "30s" };
    settings({ BeforeTool: [{ hooks: [hook] }] });
    const { fire } = await start(YES);
    const [first, second] = [fire(), fire()];
    expect((await second).finalOutput?.isBlockingDecision()).toBe(true);
    expect(await fire()).toMatchObject({ success: true, errors: [] });
    writeFileSync(join(dir, "late"), "");
    expect((await first).finalOutput?.getEffectiveReason()).toContain("was changed while it ran");
  });

  test("one whose folder, and the folder above, only get new files allows what it allowed", async () => {
    const { dir, settings, start } = project();
    mkdirSync(join(dir, "hooks"));
    writeFileSync(join(dir, "hooks", "guard.sh"), "#!/bin/sh\n: > hooks/note.$$; : > note.$$\n", { mode: 0o755 });
    settings(commandHook("BeforeTool", "hooks/guard.sh", { name: "guard" }));
    const { fire } = await start(YES);
    expect(await fire()).toMatchObject({ success: true, errors: [] });
  });
});
