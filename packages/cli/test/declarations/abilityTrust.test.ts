import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingsConfig, type TrustPolicy, type TrustRequest } from "@hookline/engine";
import { type DeclarationKind, TrustStore } from "@hookline/engine/program";
import { expect, onTestFinished, test } from "vitest";
import { ABILITIES } from "../../src/declarations/abilities/abilities.ts";
import { DECLARATION_KINDS } from "../../src/declarations/index.ts";
import { MCP_SERVERS } from "../../src/declarations/servers/mcpServers.ts";
import { temporaryFolder } from "./workspace.ts";

const DEPLOY = "id: deploy\nsummary: Deploys it.\nimplementation: { kind: script, command: sh deploy.sh }\n";
const FILE = ".system/abilities/deploy.yaml";

/** A project with a hook and an ability that a person can trust, change and remove. */
function project() {
  const [dir, home] = [temporaryFolder(), temporaryFolder()];
  const write = (path: string, text: string) => {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  write("deploy.sh", "echo deployed\n");
  write(FILE, DEPLOY);
  const start = async (trust?: TrustPolicy, starts: readonly DeclarationKind[] = [ABILITIES]) => {
    const options = {
      workingDir: dir,
      homeDir: home,
      systemFile: join(home, "none"),
      declares: DECLARATION_KINDS,
      starts,
    };
    const system = new SettingsConfig({ ...options, ...(trust === undefined ? {} : { trust }) }).getHookSystem();
    if (!system) throw new Error("hooks are on");
    onTestFinished(() => system.dispose());
    await system.initialize();
    return system;
  };
  return { dir, write, start, store: new TrustStore(home) };
}

const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);

test("a project's ability that nobody trusted keeps a program that runs abilities from starting, and is named", async () => {
  const { start } = project();
  await expect(start()).rejects.toMatchObject({
    code: "TRUST_REQUIRED",
    what: expect.stringMatching(
      /^This project declares an ability that is not trusted:\n {2}deploy \(ability\) at .*deploy\.yaml:1:1$/,
    ),
  });
});

test("on no, and with skip, the program goes on without it, and says so", async () => {
  for (const policy of [() => false, "skip"] as const) {
    const system = await project().start(policy);
    expect([system.getDeclared(ABILITIES), system.getStatus().untrustedOthers]).toEqual([
      [],
      [{ kind: "ability", name: "deploy" }],
    ]);
  }
});

test("a yes is kept, and covers nothing but what was looked at", async () => {
  const { start, store, dir, write } = project();
  const asked: TrustRequest[] = [];
  const system = await start((request) => asked.push(request) > 0);
  expect(asked).toMatchObject([{ reason: "new", hooks: [], others: [{ kind: "ability", name: "deploy" }] }]);
  expect(names(system.getDeclared(ABILITIES))).toEqual(["deploy"]);
  expect(Object.values(store.read(dir).hooks)).toMatchObject([{ name: "deploy", kind: "ability" }]);
  expect(names((await start()).getDeclared(ABILITIES))).toEqual(["deploy"]);
  write("deploy.sh", "echo something else\n");
  await expect(start()).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
});

test.each([
  ["summary", "summary: Deploys it now.\n"],
  ["input", "input: { type: object, required: [x] }\n"],
  ["keys", "operation_keys: [ship]\n"],
  ["environments", "environments: [prod]\n"],
  ["time", "timeout: 9s\n"],
  ["paths", "writes: ['**']\n"],
])("an ability whose %s changed needs trust again", async (_, line) => {
  const { start, write } = project();
  await start(() => true);
  const others = DEPLOY.split("\n").filter((one) => !one.startsWith(line.split(":")[0] ?? ""));
  write(FILE, `${others.join("\n")}${line}`);
  await expect(start()).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
});

test("right before a run it is refused when its script was changed, its file was, or it is gone", async () => {
  const { start, write } = project();
  const system = await start("all");
  const [deploy] = system.getDeclared(ABILITIES);
  if (!deploy) throw new Error("deploy is trusted");
  expect(await system.getRefusal(deploy)).toBeUndefined();
  write("deploy.sh", "echo something else\n");
  expect(await system.getRefusal(deploy)).toMatch(/^was changed after it was trusted/);
  write("deploy.sh", "echo deployed\n");
  expect(await system.getRefusal(deploy)).toBeUndefined();

  write(FILE, `${DEPLOY}timeout: 1h\n`);
  await system.reload();
  expect(await system.getRefusal(deploy)).toBe("is no longer declared, or no longer trusted");
  expect(system.getStatus().untrustedOthers).toEqual([{ kind: "ability", name: "deploy" }]);
});

test("a person is asked about what a reload brings, and the older declaration is not run any more", async () => {
  const { start, write } = project();
  const system = await start(() => true);
  const [deploy] = system.getDeclared(ABILITIES);
  if (!deploy) throw new Error("deploy is trusted");
  write(FILE, `${DEPLOY}timeout: 1h\n`);
  await system.reload();
  expect(system.getDeclared(ABILITIES)).toMatchObject([{ name: "deploy", timeoutMs: 3_600_000 }]);
  expect(await system.getRefusal(deploy)).toMatch(/^was changed in the settings/);
});

test("a program that runs no abilities is not asked about them, is given none, and forgets no trust in them", async () => {
  const { start, write, store, dir } = project();
  expect((await start(undefined, [])).getDeclared(ABILITIES)).toEqual([]);
  await start(() => true);
  write(
    ".hookline/settings.json",
    JSON.stringify({ hooks: { BeforeTool: [{ hooks: [{ type: "command", name: "guard", command: "true" }] }] } }),
  );
  const system = await start(() => true, [MCP_SERVERS]);
  expect([system.getDeclared(ABILITIES), system.getStatus().notices]).toEqual([[], []]);
  expect(names(Object.values(store.read(dir).hooks)).toSorted()).toEqual(["deploy", "guard"]);
});

test("an ability that was switched off, or gone, is no guard: nothing stands in its place", async () => {
  const { start, write, store, dir } = project();
  const system = await start(() => true);
  write(FILE, `${DEPLOY}enabled: false\n`);
  await system.reload();
  expect([system.getDeclared(ABILITIES), system.getStatus().notices]).toEqual([[], []]);
  write(".system/abilities/more.yaml", DEPLOY.replace("id: deploy", "id: more"));
  await system.reload();
  expect(names(system.getDeclared(ABILITIES))).toEqual(["more"]);
  // Switched off is not forgotten: it keeps the trust it had.
  expect(names(Object.values(store.read(dir).hooks)).toSorted()).toEqual(["deploy", "more"]);
  write(FILE, DEPLOY);
  expect(names((await start()).getDeclared(ABILITIES))).toEqual(["deploy", "more"]);
});

test("one that is gone at start is named once", async () => {
  const { start, write } = project();
  await start(() => true);
  write(FILE, DEPLOY.replace("id: deploy", "id: ship"));
  expect((await start(() => true)).getStatus().notices).toEqual([
    expect.stringMatching(/^"deploy" \(ability\), trusted earlier, is no longer declared at /),
  ]);
});
